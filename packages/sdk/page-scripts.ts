// How the scripts for pages become small: files with a smaller form, short names and a second minifier.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { minify } from 'terser'

/** What few data files need is a second file, which the other scripts load from beside themselves. */
export const rare = 'svc-rare'

/**
 * Properties that only our own code uses. The minifier shortens them. A name that pages, data files, requests or
 * browsers use must not be here.
 */
const internal =
  'held etag failed retryAfterMs given evaluator plan datafileUrl decide changed keepAlive stop recalled settings ' +
  'emit listener streamUrl heartbeatUrl eventsUrl compile during evaluate evaluatedKeys evaluateAll again afterPoll ' +
  'requests restore beat isUp response expose dropped onRevision onRetry isAsked file take keep next'

interface Bundle {
  [name: string]: { type: string; code?: string }
}

/** If there is a file `name.page.ts`, it stands in for `name.ts`. */
const smallForms = {
  name: 'small-forms',
  resolveId(source: string, importer?: string) {
    if (!importer || !source.endsWith('.ts')) return
    if (source === './rare-parts.ts') return { id: `./${rare}.js`, external: true }
    const path = resolve(dirname(importer), source.replace(/\.ts$/, '.page.ts'))
    return path !== importer && existsSync(path) ? path : undefined
  },
}

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

export const plugins = [smallForms, minifyAgain]
export const minifying = {
  compress: true,
  mangle: true,
  mangleProps: { include: new RegExp(`^(?:${internal.replaceAll(' ', '|')})$`) },
}
