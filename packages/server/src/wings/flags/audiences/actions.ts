import type { Condition } from '@svc/core'
import { type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { lockReferenced } from '../../model/audiences/index.ts'
import { rulesNaming } from '../../model/rules/index.ts'
import { conditionReferences, editOf, unknownReferences } from '../../model/versions/index.ts'
import { projectNoun } from '../projects/index.ts'
import { maxAudiencesPerProject, maxShownUses, refusesDeletion } from './audience.ts'
import { type Audience, audienceQueries, insertAudience, saveAudience } from './queries.ts'

interface AudienceContent {
  name: string
  description: string | null
  conditions: Condition
}

type NewAudience = AudienceContent & { key?: string | undefined }

/** Edited conditions go live with the next publish of each environment that uses the audience. */
export const audiences = projectNoun<'audience', Audience, AudienceContent, NewAudience>({
  noun: 'audience',
  most: maxAudiencesPerProject,
  queries: audienceQueries,
  content: ({ name, description, conditions }) => ({ name, description, conditions }),
  begin: () => ({}),
  insert: (tx, audience, by) => insertAudience(tx, audience, editOf(by)),
  save: (tx, audience, by) => saveAudience(tx, audience, editOf(by)),
  refuses: {
    content: async (tx, projectId, _content, { conditions }) =>
      conditions && (await refusesUnknown(tx, projectId, conditions)),
    delete: async (tx, { id, projectId }) => refusesDeletion(await rulesNaming(tx, projectId, [id], maxShownUses)),
  },
})

async function refusesUnknown(tx: Tx, projectId: string, conditions: Condition): Promise<Refusal | undefined> {
  const references = conditionReferences(conditions, ['conditions'])
  return refuseIssues(unknownReferences(references, await lockReferenced(tx, projectId, references)))
}
