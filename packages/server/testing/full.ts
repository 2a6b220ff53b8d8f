/** Whether each fault is repeated as often as promised, and each database proves everything: `npm run test:full`. */
export const isFull: boolean = Boolean(process.env.SVC_TEST_FULL)

/**
 * How many cases a property tries in this run: in a full run, which looks for new ones, as many as given, and otherwise
 * a fifth of them, which are the same each time.
 */
export const runsOf = (often: number): number => (isFull ? often : Math.ceil(often / 5))

/**
 * The rows of a table of tests in this run, for `it.each`: those that `always` names, and in a full run all. For tables
 * in which many rows run the same code: `always` names one row for each path through it.
 *
 * @throws Error if a name has no row, so that no row leaves `npm test` when it is renamed
 */
export function rowsOf<Row>(
  rows: Readonly<Record<string, Row>>,
  always: readonly string[],
): [name: string, row: Row][] {
  const unknown = always.filter((name) => !Object.hasOwn(rows, name))
  if (unknown.length > 0) throw new Error(`The table has no row for ${unknown.join(', ')}`)
  return Object.entries(rows).filter(([name]) => isFull || always.includes(name))
}
