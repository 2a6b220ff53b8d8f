import { allOf } from '../../../ui/words/lists.ts'

interface Published {
  flags?: readonly { key: string }[]
  experiments?: readonly { name: string }[]
  audiences?: readonly { name: string }[]
  comment?: string | null
}

const namedMax = 3

/** What a publish made live, and the comment of its author; undefined for any other entry. */
export function publishedIn({ action, after }: { action: string; after: unknown }) {
  if (action !== 'environment.publish' || typeof after !== 'object' || after === null) return undefined
  const { flags = [], experiments = [], audiences = [], comment = null } = after as Published
  const things = [...flags.map(({ key }) => key), ...[...experiments, ...audiences].map(({ name }) => name)]
  return { things: things.length === 0 ? 'the changes' : allOf(things, namedMax), comment }
}
