import type { StagedAudience } from '../../../model/audiences/index.ts'
import { type Authorship, authoredChanges, reassigningRules, type StagedChange } from '../../../model/versions/index.ts'
import type { StagedFlag } from './publish.ts'

interface AuthoredFlag extends StagedFlag {
  name: string
  stagedBy: Authorship
}

/** What a publish would make live now, with the author of each change. */
export interface StagedList {
  flags: { flagId: string; key: string; name: string; changes: StagedChange[] }[]
  audiences: { audienceId: string; name: string; changes: StagedChange[] }[]
  warnings: PublishWarning[]
}

export interface PublishWarning {
  code: 'reassigns_exposed_visitors'
  ruleId: string
  /** Exposed visitors are not counted yet, so the number is unknown: null. */
  visitors: null
}

export const stagedList = (flags: readonly AuthoredFlag[], audiences: readonly StagedAudience[]): StagedList => ({
  flags: flags.map(({ flagId, key, name, live, draft, stagedBy }) => ({
    flagId,
    key,
    name,
    changes: authoredChanges(live, draft, stagedBy),
  })),
  audiences: audiences.map(({ id, name, live, draft, edited }) => ({
    audienceId: id,
    name,
    changes: [{ path: 'conditions', from: live, to: draft, rules: [], by: edited?.by ?? null, at: edited?.at ?? null }],
  })),
  warnings: publishWarnings(flags.flatMap(({ live, draft }) => reassigningRules(live, draft))),
})

export const publishWarnings = (reassignedRuleIds: readonly string[]): PublishWarning[] =>
  reassignedRuleIds.map((ruleId) => ({ code: 'reassigns_exposed_visitors', ruleId, visitors: null }))
