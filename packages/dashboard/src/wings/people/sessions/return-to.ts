const nowhere = 'http://dashboard.invalid'
const doors = ['/sign-in', '/sign-up', '/reset', '/confirm-email']

/** Where to go after signing in. Anyone can write the address, so only a path of this dashboard is accepted. */
export function safeReturnTo(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || !URL.canParse(value, nowhere)) return '/'
  const url = new URL(value, nowhere)
  // A path such as /..//evil.example begins with two slashes once the dots are gone.
  if (url.origin !== nowhere || url.pathname.startsWith('//') || doors.includes(url.pathname)) return '/'
  return url.pathname + url.search
}
