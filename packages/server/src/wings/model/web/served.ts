import type { WebContent } from './content.ts'

interface Missing {
  code: 'NOT_SERVED_YET'
  message: string
}

/**
 * What the script does not do yet. It leaves visitors out of such an experiment, in every variation, so nobody would ever
 * see it or be counted.
 */
export function notServedYet(
  { activation, variations }: WebContent,
  tested: readonly { id: string; key: string }[],
): Missing[] {
  const of = (what: 'redirect' | 'js') => tested.filter(({ id }) => (variations[id]?.[what] ?? null) !== null)
  const found = [
    ...(activation === 'PAGE' ? [] : [`activation is ${activation}. Use PAGE`]),
    ...of('redirect').map(({ key }) => `${key} redirects its visitors. Remove the redirect`),
    ...of('js').map(({ key }) => `${key} has code. Remove the code`),
  ]
  return found.map((what) => ({ code: 'NOT_SERVED_YET', message: `The script cannot do this yet: ${what}.` }))
}
