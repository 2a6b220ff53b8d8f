const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Every limit of accounts, sessions and links in one table; docs/accounts.md explains them. */
export const limits = {
  /** No composition rules, as NIST SP 800-63B requires. Length in characters after NFKC. */
  password: { minLength: 8, maxLength: 256 },
  session: { idleMs: 12 * hourMs, absoluteMs: 7 * dayMs, secondFactorStageMs: 10 * minuteMs, perPerson: 50 },
  /** The owner's link is in the log. It also ends when there is an owner, or when a later start prints a new one. */
  ownerLinkMs: dayMs,
  link: { INVITATION: 7 * dayMs, PASSWORD_RESET: hourMs, EMAIL_CHANGE: dayMs },
  /** Nodes whose starts are no further apart start together. */
  startTogetherMs: 5 * minuteMs,
  /** How long a used or expired link is kept. */
  linkRetentionMs: 30 * dayMs,
  recoveryCodes: 10,
  /** Clocks differ, so the codes of the previous and the next step are accepted too. */
  totpWindowSteps: 1,
} as const
