/** What people call the kinds. */
export const jobKindNames: Record<string, string> = { visitor_erasure: 'Erasure of visitors' }

/** What people call a job: what it does, and with what. */
export const jobName = (kind: string, source: string): string => `${jobKindNames[kind] ?? kind}: ${source}`
