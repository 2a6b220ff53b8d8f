const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Every limit of previews and of the visual editor in one table. */
export const limits = {
  preview: { defaultHours: 72, maxHours: 30 * 24, openPerExperiment: 100, ticketMs: minuteMs },
  editor: { codeMs: minuteMs, idleMs: 30 * minuteMs, longestMs: 8 * hourMs, openPerPerson: 10 },
  /** Of an address, for secrets that can be guessed. */
  triesPerMinute: 60,
  /** How long a link is kept after it has expired. */
  keptForMs: 30 * dayMs,
  /** How exactly the last use of a session is known. */
  usedEveryMs: minuteMs,
} as const

/** The latest time of a use with which a session has been idle for too long. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - limits.editor.idleMs)
