const names: Record<string, string> = { visitor_erasure: 'Erasure of visitors' }

/** What people call a job: what it does, and with what. */
export const jobName = (kind: string, source: string): string => `${names[kind] ?? kind}: ${source}`
