const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Every limit of accounts, sessions and links in one table; docs/accounts.md explains them. */
export const limits = {
  /** Without a composition rule, as NIST SP 800-63B asks; in characters after NFKC. */
  password: { minLength: 8, maxLength: 256 },
  session: { idleMs: 12 * hourMs, absoluteMs: 7 * dayMs, secondFactorStageMs: 10 * minuteMs, perPerson: 50 },
  /** The owner's link has no expiry: it ends when it is used, or when the next start prints another one. */
  link: { INVITATION: 7 * dayMs, PASSWORD_RESET: hourMs },
  /** How long a link that is used or expired stays known. */
  linkRetentionMs: 30 * dayMs,
  recoveryCodes: 10,
  /** Codes of the steps before and after the current one pass as well: clocks differ. */
  totpWindowSteps: 1,
} as const
