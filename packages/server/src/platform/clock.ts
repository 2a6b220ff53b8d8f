/** The one place that reads the machine's clock for the service's decisions; tests pass another. */
export const systemClock = (): Date => new Date()
