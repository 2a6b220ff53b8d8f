import { invalid, notFound, type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import { contentEtag, type IfMatch } from '../../../../http/etag.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { type Difference, webOf } from '../../../model/versions/index.ts'
import {
  type Change,
  noContent,
  refusesBoth,
  unknownPages,
  type VariationContent,
  variationDifferences,
} from '../../../model/web/index.ts'
import { type OnExperiment, onExperiment, summaryOf, type WhichExperiment } from '../actions.ts'
import { refusesIn } from '../experiment.ts'
import { testIn } from '../present.ts'
import { saveContent } from './saving.ts'

/** What the routes of changes show of a variation. */
export const changesOf = ({ changes, css }: VariationContent) => ({ changes, css })

/** What the routes of code show of a variation. */
export const codeOf = ({ js }: VariationContent) => ({ js })

interface Saving {
  which: WhichExperiment
  variationKey: string
  ifMatch: IfMatch
  dryRun: boolean
}

interface Variation {
  id: string
  key: string
  name: string
}

/** A variation before and after a call. */
export interface SavedContent {
  content: VariationContent
  differences: Difference[]
}

/** Replaces the changes and the CSS of a variation in the draft. */
export const saveChanges = (
  db: Db,
  by: Author,
  saving: Saving & { via: 'EDITOR' | 'API' },
  wanted: { changes: Change[]; css: string | null },
): Promise<SavedContent | Refusal> =>
  save(db, by, saving, {
    shown: changesOf,
    edit: (content) => ({ ...content, ...wanted }),
    refuses: ({ row }) =>
      refuseIssues(
        unknownPages(
          wanted.changes,
          webOf(row.draft).pages.map(({ key }) => key),
        ),
      ),
    async record({ tx, experiment, ...on }, variation, before) {
      const { id, projectId, name, status } = experiment
      const named = { variationKey: variation.key }
      await by.record(tx, {
        ...{ orgId: on.flag.orgId, projectId, action: 'experiment.save_changes' },
        object: { type: 'experiment', id, name },
        before: { ...named, ...changesOf(before) },
        after: { ...named, ...wanted },
        events: [
          {
            name: 'experiment.visual_changes.saved',
            payload: {
              experiment: summaryOf(experiment, status),
              variation,
              changeSet: { count: wanted.changes.length, previousCount: before.changes.length },
              via: saving.via,
            },
          },
        ],
      })
    },
  })

/** Replaces the code of a variation in the draft. The audit entry keeps the code before and after. */
export const saveCode = (
  db: Db,
  by: Author,
  saving: Saving,
  { js }: { js: string | null },
): Promise<SavedContent | Refusal> =>
  save(db, by, saving, {
    shown: codeOf,
    edit: (content) => ({ ...content, js }),
    refuses: () => undefined,
    record: ({ tx, experiment, flag }, { key: variationKey }, before) =>
      by.record(tx, {
        ...{ orgId: flag.orgId, projectId: experiment.projectId, action: 'experiment.save_code' },
        object: { type: 'experiment', id: experiment.id, name: experiment.name },
        before: { variationKey, js: before.js },
        after: { variationKey, js },
        events: [
          {
            name: 'experiment.updated',
            payload: {
              experiment: summaryOf(experiment, experiment.status),
              changes: [{ path: `variations.${variationKey}.js`, from: null, to: null }],
            },
          },
        ],
      }),
  })

interface Edit {
  /** What the ETag is about. */
  shown: (content: VariationContent) => unknown
  edit: (content: VariationContent) => VariationContent
  refuses: (on: OnExperiment) => Refusal | undefined
  record: (on: OnExperiment, variation: Variation, before: VariationContent) => Promise<void>
}

function save(
  db: Db,
  by: Author,
  { which, variationKey, ifMatch, dryRun }: Saving,
  { shown, edit, refuses, record }: Edit,
): Promise<SavedContent | Refusal> {
  return onExperiment(db, which, async (on) => {
    const { tx, flag, row, experiment } = on
    const variation = variationIn(on, variationKey)
    if (!variation) return notFound('Variation')
    const web = webOf(row.draft)
    const before = web.variations[variation.id] ?? noContent
    const refusal = refuses(on) ?? ifMatch(contentEtag(shown(before))) ?? refusesIn('redefine', experiment.status)
    if (refusal) return refusal
    const content = edit(before)
    const both = refusesBoth(content)
    if (both) return invalid({ path: [], message: `Variation ${variation.key}: redirect ${both.message}` })
    const saved = { content, differences: variationDifferences(before, content) }
    if (dryRun || saved.differences.length === 0) return saved
    const next = { ...web, variations: { ...web.variations, [variation.id]: content } }
    const { ruleId, launchedAt } = experiment
    await saveContent(tx, by, row, next, { ruleId, isLaunched: launchedAt !== null })
    const { id, key } = variation
    const name = flag.variations.find((each) => each.id === id)?.name ?? key
    await record(on, { id, key, name }, before)
    return saved
  })
}

/** A variation of the test as it is drafted. */
function variationIn({ row, experiment }: OnExperiment, variationKey: string) {
  const tested = testIn(row.draft, experiment.ruleId)?.variations.map(({ variationId }) => variationId)
  return row.draft.variations.find(({ id, key }) => key === variationKey && (tested?.includes(id) ?? true))
}
