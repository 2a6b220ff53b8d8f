/** What one check of `svc-server doctor` found. `--json` prints a list of these; later versions only add fields. */
export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'failed'
  text: string
  /** What to do about it; null if everything is well. */
  remedy: string | null
}

export const found = (check: string, state: Finding['state'], text: string, remedy: string | null = null): Finding => ({
  check,
  state,
  text,
  remedy,
})

/** A check that throws found a failure. */
export async function checked(check: string, remedy: string, work: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return found(check, 'failed', reason.endsWith('.') ? reason : `${reason}.`, remedy)
  }
}
