import { type GatedRun, refusedByGate as refused } from '@svc/recommend'
import type { RunMetrics } from '../../../../../catalogue/payloads.ts'

/** The `result` of the job of a run. */
export interface RunResult {
  runId: string
  runNumber: number
  activated: boolean
  products: number
  bytes: number
  metrics: RunMetrics
  /** Why the run did not go live. */
  reason: string | null
}

type Measured = Pick<RunResult, 'products' | 'metrics'>

/** Whether a run goes live by itself: null if it does, otherwise why not. Each run is measured on its own last days. */
export const refusedByGate = (run: Measured, active: Measured | undefined): string | null =>
  refused(gated(run), active ? gated(active) : null)

const gated = ({ products, metrics }: Measured): GatedRun => ({ products, metrics })
