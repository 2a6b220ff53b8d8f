import { nouns } from '@svc/client'
import type { Refreshes, Wing } from './shell/wing.ts'
import * as commerce from './wings/commerce/index.tsx'
import * as flags from './wings/flags/index.tsx'
import * as measuring from './wings/measuring/index.tsx'
import * as people from './wings/people/index.tsx'
import * as record from './wings/record/index.tsx'
import * as telling from './wings/telling/index.tsx'

const inProject = '/api/v1/projects/{projectId}'

const wings: Wing[] = [people, flags, measuring, commerce, telling, record]

/** What the wings hand over to the shell, together. Their routes are put together in routes.tsx. */
export const doors = {
  navigation: wings.flatMap(({ navigation }) => navigation),
  actions: wings.flatMap(({ actions }) => actions ?? []),
  refreshes: together([ofEveryNoun(), ...wings.map(({ refreshes }) => refreshes)]),
}

/** What shows a noun of a project: the list, one of them, and the index. */
function ofEveryNoun(): Refreshes {
  const shown = Object.entries(nouns).flatMap(([noun, row]) => {
    if (!('index' in row)) return []
    const list = `${inProject}/${row.path}`
    return [[noun, [list, `${list}/{${row.param}}`, `${inProject}/index`]]]
  })
  return Object.fromEntries(shown)
}

/** Several wings can show the same kind. */
function together(all: readonly Refreshes[]): Refreshes {
  const paths: Record<string, string[]> = {}
  for (const [kind, own] of all.flatMap((each) => Object.entries(each))) paths[kind] = [...(paths[kind] ?? []), ...own]
  return paths
}
