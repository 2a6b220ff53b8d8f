import { isFull } from '../../packages/server/testing/full.ts'

const counts = {
  /** Attempts of a delivery that fails, which are six by default. */
  attempts: { usual: 2, full: 6 },
  /** Crashes under load: more than a delivery has attempts. */
  kills: { usual: 3, full: 50 },
  /** Nodes that get SIGTERM under load. */
  drains: { usual: 2, full: 20 },
  /** Events that wait until a receiver is back. */
  backlog: { usual: 100, full: 5_000 },
  /** Deliveries that wait for a dead receiver: more than a worker claims ahead. */
  dead: { usual: 100, full: 500 },
  /** Events that healthy receivers get beside it. */
  beside: { usual: 15, full: 40 },
  /** Deliveries that wait while the clock jumps. */
  pending: { usual: 20, full: 60 },
  /** Receivers of each event while nodes are killed. */
  hooks: { usual: 10, full: 20 },
}

/**
 * How often the lab repeats a fault: a few times in each run of the tests, and the promised number of times with
 * `SVC_TEST_FULL=1`, which takes a quarter of an hour.
 */
export const countOf = (what: keyof typeof counts): number => counts[what][isFull ? 'full' : 'usual']
