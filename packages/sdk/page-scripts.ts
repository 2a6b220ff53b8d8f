// How the scripts for pages become small: files with a smaller form, short names and a second minifier.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { minify } from 'terser'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }

/** What few data files need is a second file, which the other scripts load from beside themselves. */
export const rare = 'svc-rare'

/**
 * Properties that only our own code uses. The minifier shortens them. A name that pages, data files, requests or
 * browsers use must not be here.
 */
const internal =
  'held etag failed retryAfterMs given evaluator plan datafileUrl decide changed keepAlive stop recalled settings ' +
  'emit listener streamUrl heartbeatUrl eventsUrl compile during evaluate evaluatedKeys evaluateAll again afterPoll ' +
  'requests restore beat isUp response expose dropped onRevision onRetry isAsked file take keep next ' +
  'answered wake isOverdue catchUp report hasNew bytes json hide show'

interface Bundle {
  [name: string]: { type: string; code?: string }
}

/** If there is a file `name.page.ts`, it stands in for `name.ts`. For other endings likewise, the first one first. */
const smallForms = (endings: readonly string[], { isWhole }: { isWhole: boolean }) => ({
  name: 'small-forms',
  resolveId(source: string, importer?: string) {
    if (!importer || !source.endsWith('.ts')) return
    if (isWhole && /^(?:\.{1,2}\/)+rare(?:-parts)?\.ts$/.test(source)) return
    // With the version, so that a cached file of an earlier release never meets a newer script.
    if (source === './rare-parts.ts') return { id: `./${rare}.js?${version}`, external: true }
    const paths = endings.map((ending) => resolve(dirname(importer), source.replace(/\.ts$/, `.${ending}.ts`)))
    return paths.find((path) => path !== importer && existsSync(path))
  },
})

// Terser finds what Rolldown leaves, and the other way round: both together save 180 bytes.
const minifyAgain = {
  name: 'minify-again',
  async generateBundle(_options: unknown, bundle: Bundle) {
    for (const chunk of Object.values(bundle)) {
      if (!chunk.code) continue
      const { code } = await minify(chunk.code, {
        module: true,
        ecma: 2020,
        compress: { passes: 4, unsafe_arrows: true },
      })
      chunk.code = code ?? chunk.code
    }
  },
}

/**
 * For a script of pages. Of a file, the small form with the first of these endings stands in. `isWhole`: what few data
 * files need is in the script itself.
 */
export const pluginsFor = (endings: readonly string[], { isWhole = false } = {}) => [
  smallForms(endings, { isWhole }),
  minifyAgain,
]

export const minifying = {
  compress: true,
  mangle: true,
  mangleProps: { include: new RegExp(`^(?:${internal.replaceAll(' ', '|')})$`) },
}
