import { succeed } from './flags.ts'
import type { TestService } from './service.ts'

/** The page of an experiment that is about all pages. */
export const everywhere = { key: 'all', name: 'All', conditions: { all: [] } }

/** Makes a draft ready for its launch: it has a page, and its last variation has CSS. */
export async function design(service: TestService, path: string): Promise<void> {
  const { pages, variations } = await succeed(service, 'GET', path)
  if (pages.length === 0) await succeed(service, 'PATCH', path, { pages: [everywhere] })
  const body = { changes: [], css: 'h1 { color: red }' }
  await succeed(service, 'PUT', `${path}/variations/${variations.at(-1).key}/changes`, body)
}
