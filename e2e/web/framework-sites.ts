// Sites that frameworks build of their own templates, with the tag as docs/web-tag.md puts it there.
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeBlocks } from '../../scripts/code-blocks.ts'
import { cleanEnvironment, root } from '../service.ts'
import { type ForeignSite, hide, image, move, note, style, text } from './site-changes.ts'

/** The versions are pinned, so that a site is the same in each run. Each framework has its own, which can differ. */
const packages = {
  docusaurus: {
    ...{ 'create-docusaurus': '3.10.2', '@docusaurus/core': '3.10.2', '@docusaurus/faster': '3.10.2' },
    ...{ '@docusaurus/preset-classic': '3.10.2', react: '19.2.0', 'react-dom': '19.2.0' },
  },
  next: { 'create-next-app': '16.4.3', next: '16.4.6', react: '19.2.0', 'react-dom': '19.2.0' },
  // Nuxt takes a later Vite by itself, with which it does not build.
  nuxt: { nuxt: '4.5.2', vite: '8.2.0' },
  vitepress: { vitepress: '1.6.4' },
}
type Framework = keyof typeof packages

export const frameworkSites: Record<Framework, ForeignSite> = {
  docusaurus: {
    ...{ folder: 'docusaurus/site/build', isBuilt: true },
    changes: [
      text('h1'),
      style('.hero'),
      hide('.hero .button'),
      note('h1.hero__title'),
      image('.navbar__logo img'),
      move('.hero__subtitle', 'h1.hero__title', 'BEFORE'),
    ],
    ...{ away: '/docs/intro', link: 'a.navbar__link[href="/docs/intro"]', ready: 'h1:has-text("Tutorial Intro")' },
    edit: { selector: 'h1', was: 'My Site' },
  },
  next: {
    ...{ folder: 'next/site/out', isBuilt: true },
    changes: [text('h1'), style('main'), hide('main p'), note('main p'), image('main img')],
    ...{ away: '/other', link: 'a[href="/other"]', ready: 'main.other' },
    edit: { selector: 'main a[href*="nextjs.org/docs"]', was: 'Documentation' },
  },
  nuxt: {
    ...{ folder: 'nuxt/site/.output/public', isBuilt: true },
    changes: [text('h2'), style('h1'), hide('h2 + p'), note('h2'), move('h1', '.grid')],
    ...{ away: '/other', link: 'a[href="/other"]', ready: 'main.other' },
    edit: { selector: 'h2', was: 'Get started' },
  },
  vitepress: {
    ...{ folder: 'vitepress/site/.vitepress/dist', isBuilt: true },
    changes: [
      text('.VPHero h1 .name'),
      style('.VPHero'),
      hide('.VPFeature'),
      note('.VPHero .tagline'),
      move('.VPFeatures', '.VPHero', 'BEFORE'),
    ],
    ...{ away: '/api-examples.html', link: '.VPHero a[href="/api-examples.html"]', ready: '#runtime-api-examples' },
    edit: { selector: '.VPHero h1 .name', was: 'My Awesome Project' },
  },
}

/** Installs packages of npm into a new folder. None of their scripts run. */
export async function install(folder: string, dependencies: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const parameters = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']
  await execute('npm', parameters, folder)
}

/** Makes a site in the folder `site` of each framework, one after the other: each takes a gigabyte of memory. */
export async function buildFrameworkSites(folder: string, script: string): Promise<void> {
  const blocks = codeBlocks(await readFile(join(root, 'docs/web-tag.md'), 'utf8')).map((block) => block.text)
  for (const name of Object.keys(packages) as Framework[]) {
    const own = join(folder, name)
    await install(own, packages[name])
    await makers[name](own, (file) => {
      const block = blocks.find((each) => each.startsWith(`// ${file}\n`))
      if (!block) throw new Error(`docs/web-tag.md has no block for ${file}`)
      return block.replace('https://svc.example/sdk/v1/web/sdk_6uJ….js', script)
    })
  }
}

/** Makes the site of a framework. `guided` gives the block of the guide for a file. */
type Maker = (folder: string, guided: (file: string) => string) => Promise<void>

const makers: Record<Framework, Maker> = {
  async docusaurus(folder, guided) {
    await run(folder, 'create-docusaurus/bin/index.js', 'site', 'classic', '--skip-install', '--javascript')
    const site = join(folder, 'site')
    await rename(join(site, 'docusaurus.config.js'), join(site, 'template.config.js'))
    await writeFile(
      join(site, 'docusaurus.config.js'),
      withTemplate(guided('docusaurus.config.js'), './template.config'),
    )
    await run(site, '../@docusaurus/core/bin/docusaurus.mjs', 'build')
  },
  async next(folder, guided) {
    const site = join(folder, 'site')
    const template = join(folder, 'node_modules/create-next-app/dist/templates/app/js')
    await cp(template, site, { recursive: true })
    // The layout of the template loads a font from elsewhere, and it has one page.
    await writeFile(
      join(site, 'app/layout.js'),
      guided('app/layout.jsx')
        .replace('<body>', '<body><nav><Link href="/">Home</Link> <Link href="/other">Other</Link></nav>')
        .replace(/^/, "import Link from 'next/link'\nimport './globals.css'\n"),
    )
    await mkdir(join(site, 'app/other'))
    await writeFile(
      join(site, 'app/other/page.js'),
      'export default () => <main className="other"><p>Something else</p></main>\n',
    )
    const config = { output: 'export', images: { unoptimized: true }, turbopack: { root: folder } }
    await writeFile(join(site, 'next.config.mjs'), `export default ${JSON.stringify(config)}\n`)
    await run(site, '../next/dist/bin/next', 'build')
  },
  async nuxt(folder, guided) {
    const site = join(folder, 'site')
    await mkdir(join(site, 'app/pages'), { recursive: true })
    const page = (html: string) => `<template>${html}</template>\n`
    await writeFile(join(site, 'app/app.vue'), page('<div><NuxtRouteAnnouncer /><NuxtPage /></div>'))
    await writeFile(
      join(site, 'app/pages/index.vue'),
      page('<div><NuxtLink to="/other">Other</NuxtLink><NuxtWelcome /></div>'),
    )
    await writeFile(join(site, 'app/pages/other.vue'), page('<main class="other"><p>Something else</p></main>'))
    await writeFile(join(site, 'nuxt.config.ts'), guided('nuxt.config.ts'))
    await writeFile(join(site, 'package.json'), '{ "private": true, "type": "module" }')
    await run(site, '../nuxt/bin/nuxt.mjs', 'generate')
  },
  async vitepress(folder, guided) {
    const site = join(folder, 'site')
    const { scaffold } = await import(join(folder, 'node_modules/vitepress/dist/node/index.js'))
    const named = { title: 'My Awesome Project', description: 'A VitePress Site', theme: 'default theme' }
    scaffold({ root: site, ...named, useTs: false, injectNpmScripts: false })
    const own = join(site, '.vitepress')
    await rename(join(own, 'config.js'), join(own, 'template.mjs'))
    await writeFile(join(own, 'config.mjs'), withTemplate(guided('.vitepress/config.mjs'), './template.mjs'))
    await run(site, '../vitepress/bin/vitepress.js', 'build')
  },
}

/** The configuration of the guide beside that of the template. */
const withTemplate = (config: string, template: string): string =>
  `import template from '${template}'\n${config.replace(/\n *\/\/ … .*\n/, '\n  ...template,\n')}`

/** Runs a program of a package in a folder whose packages are in it or one above. */
async function run(folder: string, program: string, ...parameters: string[]): Promise<void> {
  const isAbove = program.startsWith('../')
  const file = join(folder, isAbove ? '../node_modules' : 'node_modules', program.replace('../', ''))
  await execute(process.execPath, [file, ...parameters], folder)
}

/** As an operator runs it, and not as a test. */
const execute = (command: string, parameters: string[], cwd: string) =>
  promisify(execFile)(command, parameters, {
    cwd,
    env: {
      ...cleanEnvironment({ CI: '1', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' }),
      NODE_ENV: 'production',
    },
    maxBuffer: 64 * 2 ** 20,
  })
