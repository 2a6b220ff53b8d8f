export type RejectionCode =
  | 'validation_failed'
  | 'unsupported_type'
  | 'ingest_key_required'
  | 'unknown_rule'
  | 'unknown_variation'
  | 'other_variation'

/** Why an event is not taken. */
export interface Fault {
  code: RejectionCode
  message: string
}

export const fault = (message: string): Fault => ({ code: 'validation_failed', message })
