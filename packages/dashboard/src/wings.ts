import type { Refreshes, Wing } from './shell/wing.ts'
import * as flags from './wings/flags/index.tsx'
import * as measuring from './wings/measuring/index.tsx'
import * as people from './wings/people/index.tsx'
import * as record from './wings/record/index.tsx'
import * as telling from './wings/telling/index.tsx'

const wings: Wing[] = [people, flags, measuring, telling, record]

/** What the wings hand over to the shell, together. Their routes are put together in routes.tsx. */
export const doors = {
  navigation: wings.flatMap(({ navigation }) => navigation),
  actions: wings.flatMap(({ actions }) => actions ?? []),
  refreshes: together(wings.map(({ refreshes }) => refreshes)),
}

/** Several wings can show the same kind. */
function together(all: readonly Refreshes[]): Refreshes {
  const paths: Refreshes = {}
  for (const [kind, own] of all.flatMap(Object.entries<string[]>)) paths[kind] = [...(paths[kind] ?? []), ...own]
  return paths
}
