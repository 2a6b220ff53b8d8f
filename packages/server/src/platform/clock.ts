/** The only place that reads the machine's clock for the service's decisions. Tests pass their own clock. */
export const systemClock = (): Date => new Date()
