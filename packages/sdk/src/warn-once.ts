// Keys can come from outside, so the number of warnings is limited.
const mostWarnings = 100

/** Calls `warn` once for each key, up to 100 keys. Without a key, the message is the key. */
export function onceEach(warn: (message: string, ...cause: unknown[]) => unknown) {
  const told = new Set<string>()
  return (message: string, cause: unknown, key = message): void => {
    if (told.size >= mostWarnings || told.has(key)) return
    told.add(key)
    warn(message, cause)
  }
}
