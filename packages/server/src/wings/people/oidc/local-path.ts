const nowhere = 'http://local.invalid'
const maxLength = 2000

/** The page of the dashboard to continue on. Everything that could lead to a different site becomes the start page. */
export function localPath(text: string | undefined): string {
  if (text === undefined || text.length > maxLength || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/'
  if (text.includes('\\') || !URL.canParse(text, nowhere)) return '/'
  const { origin, pathname, search, hash } = new URL(text, nowhere)
  // A path such as /..//evil.test begins with two slashes after the dots are resolved.
  return origin === nowhere && !pathname.startsWith('//') ? pathname + search + hash : '/'
}

/** The same page with an error in its query. */
export function withError(path: string, code: string): string {
  const url = new URL(path, nowhere)
  url.searchParams.set('error', code)
  return url.pathname + url.search + url.hash
}
