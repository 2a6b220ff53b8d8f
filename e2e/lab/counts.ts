const counts = {
  /** Crashes under load; more than a delivery has attempts. */
  kills: { usual: 7, full: 50 },
  /** Nodes that are told to end under load. */
  drains: { usual: 4, full: 20 },
  /** Events that wait for a receiver to come back. */
  backlog: { usual: 500, full: 5_000 },
}

/**
 * How often the lab does what it does many times: few times in each run of the tests, and with `SVC_TEST_FULL=1` as
 * often as the list of targets asks, which takes a quarter of an hour.
 */
export const isFull: boolean = Boolean(process.env.SVC_TEST_FULL || process.env.LAB_FULL)

export const countOf = (what: keyof typeof counts): number => counts[what][isFull ? 'full' : 'usual']
