import { readFile } from 'node:fs/promises'
import { everywhere, scriptFor } from '../../e2e/web/page.ts'
import type { ServedExperiment } from '../../packages/web/src/index.ts'

/** A change of a page: the element that the selector finds gets this text. */
export interface TextChange {
  selector: string
  text: string
}

/** Something that changes pages. Each experiment is a list of changes that every visitor gets. */
export interface Contender {
  name: string
  /** The classic scripts, content included, in the order in which a page has them. */
  inline(experiments: TextChange[][]): string[]
  /** What a site serves: the paths that its page loads by tags, and all texts by path. The service is the same host. */
  served(experiments: TextChange[][], site: string): { tags: string; texts: Record<string, string> }
}

const peersFolder = new URL('peers/node_modules/', import.meta.url)

/** A file of a peer, or undefined if the peer is not installed. */
export const peerFile = (path: string): Promise<string | undefined> =>
  readFile(new URL(path, peersFolder), 'utf8').catch(() => undefined)

/** @param pages where each experiment acts; default: everywhere */
export const own = (experiments: TextChange[][], baseUrl: string, pages?: ServedExperiment['pages']): string =>
  scriptFor(
    baseUrl,
    experiments.map((changes, index) => {
      const texts = changes.map(({ selector, text }) => ({ type: 'TEXT', page: null, selector, value: text }) as const)
      return everywhere(texts, { key: `x${index + 1}`, ...(pages && { pages }) })
    }),
  )

const svc: Contender = {
  name: 'Svc',
  inline: (experiments) => [own(experiments, 'http://127.0.0.1:9')],
  served: (experiments, site) => ({
    tags: '<script src="/script.js" crossorigin></script>',
    texts: { '/script.js': own(experiments, site) },
  }),
}

/** What GrowthBook's script asks its service for. */
const growthbookPayload = (experiments: TextChange[][]) => ({
  features: {},
  experiments: experiments.map((changes, index) => ({
    key: `x${index + 1}`,
    changeId: `x${index + 1}`,
    status: 'running',
    hashAttribute: 'id',
    hashVersion: 2,
    meta: [{ key: '0' }, { key: '1' }],
    weights: [0, 1],
    coverage: 1,
    urlPatterns: [{ type: 'simple', include: true, pattern: '*' }],
    variations: [
      { domMutations: [] },
      {
        domMutations: changes.map(({ selector, text }) => ({
          ...{ selector, action: 'set', attribute: 'html', value: text },
        })),
      },
    ],
  })),
})

const growthbook = async (): Promise<Contender | undefined> => {
  const script = await peerFile('@growthbook/growthbook/dist/bundles/auto.min.js')
  if (script === undefined) return undefined
  return {
    name: 'GrowthBook',
    inline: (experiments) => [
      `growthbook_config = { clientKey: 'sdk-bench', noStreaming: true, payload: ${JSON.stringify(growthbookPayload(experiments))} }`,
      script,
    ],
    served: (experiments, site) => ({
      tags: `<script src="/script.js" data-api-host="${site}" data-client-key="sdk-bench" data-no-streaming="true"></script>`,
      texts: {
        '/script.js': script,
        '/api/features/sdk-bench': JSON.stringify({ status: 200, ...growthbookPayload(experiments) }),
      },
    }),
  }
}

/** The part of GrowthBook that changes pages, alone, as other programs use it: every visitor gets every change. */
const domMutator = async (): Promise<Contender | undefined> => {
  const text = await peerFile('dom-mutator/dist/dom-mutator.cjs.production.min.js')
  if (text === undefined) return undefined
  const script = (experiments: TextChange[][]) =>
    `(() => {
      const exports = {}
      ${text.replace(/\/\/# sourceMappingURL.*/, '')}
      for (const { selector, text } of ${JSON.stringify(experiments.flat())})
        exports.default.declarative({ selector, action: 'set', attribute: 'html', value: text })
    })()`
  return {
    name: 'dom-mutator',
    inline: (experiments) => [script(experiments)],
    served: (experiments) => ({
      tags: '<script src="/script.js"></script>',
      texts: { '/script.js': script(experiments) },
    }),
  }
}

/** A page without any script: the limit. */
const bare: Contender = { name: 'bare page', inline: () => [], served: () => ({ tags: '', texts: {} }) }

/** The limit, the product and the peers that are installed. */
export const contenders = async (): Promise<Contender[]> =>
  [bare, svc, await growthbook(), await domMutator()].filter((each) => each !== undefined)
