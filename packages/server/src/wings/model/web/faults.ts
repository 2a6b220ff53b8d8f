import type { Issue } from '../../../catalogue/refusals.ts'
import { unknownPages } from './changes.ts'
import { activationSelectorFault, type WebContent } from './content.ts'
import { refusesBoth } from './redirect.ts'

/**
 * What does not fit together in a content whose fields are valid by themselves. The paths are fields of the experiment.
 *
 * @param variations in the order in which the experiment shows them
 */
export function contentFaults(web: WebContent, variations: readonly { id: string; key: string }[]): Issue[] {
  const selector = activationSelectorFault(web)
  const pageKeys = web.pages.map(({ key }) => key)
  return [
    ...(selector === undefined ? [] : [{ path: ['activationSelector'], message: `activationSelector ${selector}` }]),
    ...variations.flatMap(({ id, key }, place): Issue[] => {
      const content = web.variations[id]
      if (!content) return []
      const both = refusesBoth(content)
      return [
        ...unknownPages(content.changes, pageKeys).map(({ path }) => {
          const change = content.changes[Number(path[1])]!
          const message = `The change ${change.id} of ${key} acts on the page ${change.page}. Keep the page, or edit the change first.`
          return { path: ['pages'], message }
        }),
        ...(both
          ? [{ path: ['variations', place, ...both.path], message: `The redirect of ${key} ${both.message}` }]
          : []),
      ]
    }),
  ]
}
