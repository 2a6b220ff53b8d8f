import { pageContext } from '@svc/core'

const campaign = ['utm_source', 'utm_medium']

/** The facts of a visit by which results can be split. None of them is an address or a path. */
export const dimensionNames = ['device', 'language', 'visitor', ...campaign, 'referrer']

/** What is known of a visit besides the attributes that the site sets. */
export interface Visit {
  /** The address of the page. */
  address: string
  /** The address of the page before; an empty text if there is none. */
  referrer: string
  /** Nobody has given this browser an id before. */
  isNew: boolean
}

/** What is known of a visit, by attribute: the same in a page and on a server. */
export function factsOf({ address, referrer, isNew }: Visit): Record<string, unknown> {
  const here: Record<string, unknown> = { ...pageContext(address, referrer), ...newnessOf(isNew) }
  for (const name of campaign) if (here[`page.query.${name}`]) here[name] = here[`page.query.${name}`]
  if (URL.canParse(referrer)) here.referrer = new URL(referrer).hostname
  return here
}

/** Whether nobody has given the visitor an id before, by attribute. */
export const newnessOf = (isNew: boolean) => ({ visitor: isNew ? 'new' : 'known', 'visitor.isNew': isNew })
