// Sites that nobody here wrote: packages of npm, unpacked into a temporary folder and served as they are, and what
// frameworks build of their own templates.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { buildFrameworkSites, frameworkSites, install } from './framework-sites.ts'
import { type ForeignSite, hide, image, move, note, type SiteChange, style, text } from './site-changes.ts'

/** The versions are pinned, so that a site is the same in each run. */
const packages = {
  'startbootstrap-shop-homepage': '5.0.6',
  'startbootstrap-shop-item': '5.0.6',
  'startbootstrap-landing-page': '6.0.6',
  'startbootstrap-creative': '7.0.7',
  'html5-boilerplate': '9.0.1',
  todomvc: '0.1.1',
  'swagger-ui-dist': '5.35.0',
  '@hotwired/turbo': '8.0.23',
  'htmx.org': '4.0.1',
  'admin-lte': '4.10.0',
}

const todoChanges = (item = '#todo-list li:first-child label'): SiteChange[] => [
  text('#header h1'),
  text(item),
  style('#header'),
  hide('#todo-count'),
  note('#header h1'),
  move('#info', '#todoapp', 'BEFORE'),
]

/** One application in many frameworks: its list, its router and its store are the framework's. */
const todo = (framework: string, more: Partial<ForeignSite> = {}): ForeignSite => ({
  folder: 'todomvc',
  index: `examples/${framework}/index.html`,
  changes: todoChanges(),
  away: '#/active',
  ready: '#filters .selected[href$="active"]',
  async act(page) {
    for (const title of ['Buy milk', 'Buy bread']) {
      await page.fill('#new-todo', title)
      await page.press('#new-todo', 'Enter')
      await page.locator('#todo-list li', { hasText: title === 'Buy milk' ? /milk|€/ : /bread/ }).waitFor()
    }
  },
  edit: { selector: '#header h1', was: 'todos' },
  ...more,
})

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body>${body}</body></html>`

/** Two pages of a library that swaps the body, or a part of it, in place of a load. */
const swapped = (folder: string, script: string, links: string): ForeignSite => {
  const head = `<script src="/${script}" defer></script>`
  const body = (text: string, link: string) =>
    `<header><a href="${link}" class="brand">Shop</a></header><main id="main" ${links}><h1>${text}</h1><p class="lead">Good things</p><a href="${link}" class="next">On</a><section class="plans"><h2>Plans</h2></section></main><footer>Imprint</footer>`
  return {
    folder,
    pages: {
      '/': page(head, body('Our plans', '/other.html')),
      '/other.html': page(head, body('Something else', '/').replace('<h1>', '<h1 class="other">')),
    },
    changes: [text('h1'), style('.plans'), hide('.lead'), note('.plans'), move('footer', 'header')],
    away: '/other.html',
    ready: 'h1.other',
    edit: { selector: 'h1', was: 'Our plans' },
  }
}

const operations = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `/pets/${index}`,
    { get: { summary: `Read pet ${index}`, operationId: `pet${index}`, responses: { 200: { description: 'A pet' } } } },
  ]),
)
const swaggerDocument = { openapi: '3.0.0', info: { title: 'Pets', version: '1.0.0' }, paths: operations }

const packed: Record<string, ForeignSite> = {
  'shop-homepage': {
    folder: 'startbootstrap-shop-homepage/dist',
    changes: [
      text('h1'),
      style('header'),
      hide('.lead'),
      note('h1'),
      image('.card-img-top'),
      move('body > section', 'body > header', 'BEFORE'),
    ],
    away: '#!',
    edit: { selector: '.card-body h5', was: 'Fancy Product' },
  },
  'shop-item': {
    folder: 'startbootstrap-shop-item/dist',
    changes: [
      text('h1'),
      style('.btn.flex-shrink-0'),
      hide('.text-decoration-line-through'),
      note('h1 + div'),
      image('.col-md-6 img'),
      move('.col-md-6 .lead', 'h1', 'BEFORE'),
    ],
    away: '#!',
  },
  'landing-page': {
    folder: 'startbootstrap-landing-page/dist',
    changes: [
      text('h1'),
      style('nav .btn-primary'),
      hide('#contactForm'),
      note('h1'),
      image('.testimonial-item img'),
      move('.testimonials', '.masthead'),
    ],
    away: '#signup',
  },
  creative: {
    folder: 'startbootstrap-creative/dist',
    changes: [
      text('h1'),
      style('#about'),
      hide('#mainNav .navbar-brand'),
      note('#about h2'),
      image('#portfolio img'),
      move('#services', '#about', 'BEFORE'),
    ],
    away: '#about',
  },
  boilerplate: {
    folder: 'html5-boilerplate/dist',
    changes: [text('p'), style('body'), note('p')],
    away: '/404.html',
    ready: 'h1',
  },
  'todo-vue': todo('vue'),
  'todo-react': todo('react'),
  'todo-angularjs': todo('angularjs'),
  'todo-backbone': todo('backbone'),
  'todo-knockoutjs': todo('knockoutjs'),
  'todo-mithril': todo('mithril'),
  // Ember puts scripts between its elements.
  'todo-emberjs': todo('emberjs', { changes: todoChanges('#todo-list li:first-of-type label') }),
  turbo: swapped('@hotwired/turbo/dist', 'turbo.es2017-umd.js', ''),
  htmx: swapped('htmx.org/dist', 'htmx.js', 'hx-boost="true"'),
  swagger: {
    folder: 'swagger-ui-dist',
    pages: {
      '/': page(
        '<link rel="stylesheet" href="/swagger-ui.css"><script src="/swagger-ui-bundle.js"></script>',
        `<div id="swagger-ui"></div><script>SwaggerUIBundle({ dom_id: '#swagger-ui', deepLinking: true, spec: ${JSON.stringify(swaggerDocument)} })</script>`,
      ),
    },
    changes: [
      text('.opblock-summary-description'),
      style('.information-container'),
      hide('.opblock-summary-path'),
      note('.opblock-tag-section h3'),
    ],
    away: '#elsewhere',
    act: (opened) => opened.locator('.opblock').nth(59).waitFor(),
    edit: { selector: '.opblock-summary-description', was: 'Read pet 0' },
  },
  'admin-lte': {
    folder: 'admin-lte/dist',
    pages: {
      '/': page(
        '<link rel="stylesheet" href="/css/adminlte.css"><script src="/js/adminlte.js" defer></script>',
        '<div class="app-wrapper"><main class="app-main"><div class="small-box text-bg-primary"><div class="inner"><h3>150</h3><p>New orders</p></div></div><button class="btn btn-primary">Buy</button></main></div>',
      ),
    },
    changes: [
      text('.small-box h3'),
      style('.small-box'),
      hide('.btn'),
      note('.small-box'),
      move('.btn', '.small-box', 'BEFORE'),
    ],
    away: '#orders',
  },
}

export const foreignSites: Record<string, ForeignSite> = { ...packed, ...frameworkSites }

const types: Record<string, string> = {
  '.txt': 'text/plain',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
}

/**
 * Installs the packages, builds what frameworks make, and serves each site on a host of its own, with the script at this
 * address in each page.
 */
export async function serveForeignSites(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sites-'))
  await install(join(folder, 'packed'), packages)
  await buildFrameworkSites(join(folder, 'built'), script)
  const tag = `<script src="${script}" crossorigin></script>`
  const withTag = (html: string) => html.replace(/<head[^>]*>/i, (head) => `${head}${tag}`)
  const server = createServer(async ({ headers, url = '/' }, response) => {
    const [name] = headers.host!.split('.')
    const site = foreignSites[name!]!
    const { pathname } = new URL(url, 'http://site')
    const html = site.pages?.[pathname]
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const type = types[html ? '.html' : extname(path)]
    try {
      const root = site.isBuilt ? join(folder, 'built') : join(folder, 'packed/node_modules')
      const content = html ?? (await readFile(join(root, site.folder, normalize(path))))
      response.setHeader('content-type', type ?? 'application/octet-stream')
      response.end(type === types['.html'] && !site.isBuilt ? withTag(String(content)) : content)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    addressOf: (name: string) => {
      const { pages, isBuilt, index = 'index.html' } = foreignSites[name]!
      return `http://${name}.localhost:${port}/${pages || isBuilt ? '' : index}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}
