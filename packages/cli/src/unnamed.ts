import { Problem } from './problem.ts'
import type { Connection } from './service/connection.ts'

const mostNamed = 10

interface Asking {
  connection: Connection
  project: string
}

/** The command is about a project or an environment, and none is named. */
export class Unnamed extends Problem {
  readonly what: 'project' | 'env'

  constructor(what: 'project' | 'env', message: string) {
    super('usage', message)
    this.what = what
  }
}

/**
 * The keys of the projects that the token sees, or of the environments of the project: the first, and whether there are
 * more.
 */
export async function keysThere(
  session: Asking,
  what: 'project' | 'env',
  limit: number,
): Promise<{ keys: string[]; hasMore: boolean }> {
  const path = what === 'project' ? '' : `/${encodeURIComponent(session.project)}/environments`
  const response = await session.connection.send('GET', `/api/v1/projects${path}?limit=${limit}`)
  const { data, page } = (await response.json()) as { data: { key: string }[]; page: { hasMore: boolean } }
  return { keys: data.map(({ key }) => key), hasMore: page.hasMore }
}

/** The same problem, which says what could be named. If that cannot be read, the message still says what is missing. */
export async function withNamesThere(error: unknown, session: () => Asking): Promise<unknown> {
  if (!(error instanceof Unnamed)) return error
  try {
    const { keys, hasMore } = await keysThere(session(), error.what, mostNamed)
    const there = keys.length > 0 ? `${keys.join(', ')}${hasMore ? ' and more' : ''}` : 'none'
    return new Unnamed(error.what, `${error.message} The token sees ${there}.`)
  } catch {
    return error
  }
}
