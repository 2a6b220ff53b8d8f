/** The things whose name or description contains the text, in any case. */
export function named<Thing extends { name: string; description?: string | null }>(
  things: readonly Thing[],
  text: string,
): Thing[] {
  const wanted = text.trim().toLowerCase()
  return things.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
}
