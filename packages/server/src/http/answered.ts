import { Histogram, type Registry } from 'prom-client'

/** Counts answers, and decides whether they close their connections. */
export interface Answered {
  observe(method: string, route: string | undefined, status: number, ms: number): void
  isDraining(): boolean
  /** From now on, every answer closes its connection. */
  drain(): void
}

export function answered(registry: Registry): Answered {
  let draining = false
  const seconds = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time until the answer, by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  })
  return {
    observe(method, route = 'unknown', status, ms) {
      seconds.observe({ method, route, status }, ms / 1000)
    },
    isDraining: () => draining,
    drain() {
      draining = true
    },
  }
}
