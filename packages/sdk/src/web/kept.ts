/** The cookie with the variations that a visitor keeps in sticky experiments. */
export const keptCookie = 'svc_kept'

// A browser keeps at most 4,096 bytes of a cookie.
const mostChars = 3_000

/** What cookies say that a visitor keeps. There can be several: a server sets one for its host, a page for the whole site. */
export const keptIn = (cookies: string): string => (cookies.match(/\bsvc_kept=[^;]*/g) ?? []).join()

/**
 * The variations that a visitor keeps, as a text for the cookie. Units are hashed: they can be names of people.
 *
 * @param text as {@link keptIn} gives it; the last one of a rule and unit counts
 * @param envId two projects can share a site, and the number of a rule is unique in an environment alone
 */
export function createKept(text: string, envId: string) {
  const kept = new Map<string, string>()
  for (const [, name, variationKey] of text.matchAll(/(\w+):([\w.-]+)/g)) kept.set(name!, variationKey!)
  /** Short, and two units of one browser hardly ever have the same. */
  const nameOf = (ruleId: string, unit: string): string => {
    let hash = 0
    for (const character of `${envId}.${ruleId}.${unit}`) hash = (hash * 31 + character.codePointAt(0)!) | 0
    return (hash >>> 0).toString(36)
  }
  return {
    get: (ruleId: string, unit: string): string | undefined => kept.get(nameOf(ruleId, unit)),
    set: (ruleId: string, unit: string, variationKey: string): unknown => kept.set(nameOf(ruleId, unit), variationKey),
    /** The newest last. The oldest give way. */
    text: (): string =>
      [...kept]
        .map((each) => each.join(':'))
        .join('~')
        .slice(-mostChars),
  }
}
