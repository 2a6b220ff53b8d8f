/** The rows of which one of the texts contains the searched one, in any case. */
export function containing<Row>(
  rows: readonly Row[],
  text: string,
  textsOf: (row: Row) => readonly (string | null | undefined)[],
): Row[] {
  const wanted = text.trim().toLowerCase()
  return rows.filter((row) => textsOf(row).some((each) => (each ?? '').toLowerCase().includes(wanted)))
}
