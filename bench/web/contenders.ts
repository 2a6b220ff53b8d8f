import { readFile } from 'node:fs/promises'
import { everywhere, scriptFor } from '../../e2e/web/page.ts'

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

const own = (experiments: TextChange[][], baseUrl: string): string =>
  scriptFor(
    baseUrl,
    experiments.map((changes, index) => {
      const texts = changes.map(({ selector, text }) => ({ type: 'TEXT', page: null, selector, value: text }) as const)
      return everywhere(texts, { key: `x${index + 1}` })
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

/** A page without any script: the limit. */
const bare: Contender = { name: 'bare page', inline: () => [], served: () => ({ tags: '', texts: {} }) }

/** The limit, the product and the peer, if it is installed. */
export const contenders = async (): Promise<Contender[]> =>
  [bare, svc, await growthbook()].filter((each) => each !== undefined)
