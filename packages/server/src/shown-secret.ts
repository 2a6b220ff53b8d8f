const shownCharacters = 4
/** The end of a shorter secret would reveal it. */
const shortestShown = 12

/** What shows which secret it is: its last four characters, if it is long enough. */
export const shownEnd = (secret: string): string =>
  secret.length >= shortestShown ? `…${secret.slice(-shownCharacters)}` : '…'

/**
 * Whether an address leads to a different host. A secret that belongs to it must then be given again: a person who can
 * edit the address could otherwise have it sent to their own host.
 */
export const leadsElsewhere = (before: string | null, after: string | null): boolean => hostOf(before) !== hostOf(after)

const hostOf = (url: string | null): string | undefined => (url === null ? undefined : URL.parse(url)?.host)

export const giveAgain = 'Must be sent again, because the address leads to a different host.'
