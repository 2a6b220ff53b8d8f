const maxNames = 500

/**
 * Names prepared statements by their text. Names are never reused, and texts beyond the limit stay unnamed, because
 * every connection keeps each named statement and its plan for as long as it lives.
 */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxNames) return known
    const name = `svc_${names.size}`
    names.set(text, name)
    return name
  }
}
