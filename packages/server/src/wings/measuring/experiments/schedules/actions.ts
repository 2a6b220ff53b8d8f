import { type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import { anyVersion, type IfMatch } from '../../../../http/etag.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import {
  cancelSchedule,
  type Schedule,
  scheduleIssues,
  setSchedule,
  type WantedSchedule,
} from '../../../flags/switches/index.ts'
import { experimentEtag, onExperiment, targetOf, type WhichExperiment } from '../actions.ts'
import { refusesIn } from '../experiment.ts'

export const scheduleExperiment = (
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  which: WhichExperiment,
  wanted: WantedSchedule,
): Promise<Schedule | Refusal> =>
  onExperiment(db, which, async ({ experiment }) => {
    const refusal =
      refuseIssues(scheduleIssues(wanted, by.now)) ??
      ifMatch(experimentEtag(experiment)) ??
      refusesIn('schedule', experiment.status)
    return refusal ?? setSchedule(db, by, anyVersion, targetOf(experiment), wanted)
  })

export const unscheduleExperiment = (
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  which: WhichExperiment,
): Promise<Schedule | Refusal> =>
  onExperiment(
    db,
    which,
    async ({ experiment }) =>
      ifMatch(experimentEtag(experiment)) ?? cancelSchedule(db, by, anyVersion, targetOf(experiment)),
  )
