const nowhere = 'http://local.invalid'
const maxLength = 2000

/** Where in the dashboard somebody wants to go on; everything that could lead elsewhere becomes its first page. */
export function localPath(text: string | undefined): string {
  if (text === undefined || text.length > maxLength || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/'
  if (text.includes('\\') || !URL.canParse(text, nowhere)) return '/'
  const { origin, pathname, search, hash } = new URL(text, nowhere)
  // A path such as /..//evil.test begins with two slashes once the dots are gone.
  return origin === nowhere && !pathname.startsWith('//') ? pathname + search + hash : '/'
}

/** The same place, told of a failure. */
export function withError(path: string, code: string): string {
  const url = new URL(path, nowhere)
  url.searchParams.set('error', code)
  return url.pathname + url.search + url.hash
}
