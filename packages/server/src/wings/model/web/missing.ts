import { changesSomething, type WebContent } from './content.ts'
import { hostAllowed } from './hosts.ts'

/** What a web experiment needs before visitors can get it. */
export interface Missing {
  code: 'NO_PAGES' | 'NO_CHANGES' | 'HOST_NOT_ALLOWED'
  message: string
}

/**
 * What is missing before an experiment can be served as this content says.
 *
 * @param experiment the key by which exposures know it: x12
 * @param given the variations that visitors would get; one is a delivery, for example of a winner
 */
export function missingToServe(
  { pages, variations }: Pick<WebContent, 'pages' | 'variations'>,
  experiment: string,
  given: readonly { id: string; key: string }[],
  hosts: readonly string[],
): Missing[] {
  const found: Missing[] = given.flatMap(({ id, key }) => {
    const url = variations[id]?.redirect?.url
    if (url === undefined || hostAllowed(url, hosts)) return []
    const message = `${key} of ${experiment} redirects to ${new URL(url).hostname}, which is none of the hosts of the project. Add it to the hosts in the web settings, or change the redirect.`
    return [{ code: 'HOST_NOT_ALLOWED', message }]
  })
  if (given.length > 0 && pages.length === 0)
    found.push({
      code: 'NO_PAGES',
      message: `${experiment} has no pages, so no visitor would take part. Add the pages that it is about.`,
    })
  const isTest = given.length > 1
  const isChanged = given.some(({ id }) => variations[id] && changesSomething(variations[id]))
  if (isTest && !isChanged)
    found.push({
      code: 'NO_CHANGES',
      message: `No variation of ${experiment} changes anything, so all visitors would see the same. Change a page in one of them. If your server renders them, or if this is an A/A test, say so in a comment of the CSS of one.`,
    })
  return found
}
