import { Textarea, TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ConditionBuilder } from '../../../ui/conditions/condition-builder.tsx'
import { missingCondition, withoutEmptyRows } from '../../../ui/conditions/condition-check.ts'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type Audience, conditionOf, environmentsOf, listPath, namesIn, onePath, readAudience } from './audience.ts'
import { useSeenAttributes } from './seen-attributes.ts'
import { stagedPath } from './unpublished-in.ts'

interface AudiencePanelProps {
  /** Without it, the panel creates an audience. */
  audience?: Versioned<Audience>
  onClose: () => void
  done?: (audience: Audience) => unknown
}

/** Creates or edits an audience: name, description and who is in it. */
export function AudiencePanel(props: AudiencePanelProps) {
  const { audience, onClose } = props
  return (
    <SidePanel title={audience ? `Edit ${audience.content.name}` : 'Create an audience'} onClose={onClose}>
      <AudienceForm {...props} />
    </SidePanel>
  )
}

type Values = { name: string; description: string; conditions: Condition }

const valuesOf = ({ content, etag }: Versioned<Audience>): Versioned<Values> => ({
  content: { name: content.name, description: content.description ?? '', conditions: conditionOf(content) },
  etag,
})

const fresh: Versioned<Values> = { content: { name: '', description: '', conditions: { all: [] } }, etag: '' }

const bodyOf = ({ name, description, conditions }: Values) => ({
  name,
  description: description.trim() || null,
  conditions: withoutEmptyRows(conditions),
})

function AudienceForm({ audience, onClose, done: created }: AudiencePanelProps) {
  const { project } = usePlace()
  const { data: index } = useProjectIndex()
  const seen = useSeenAttributes()
  const done = useDone()
  const audienceId = audience?.content.id ?? ''
  const path = { projectId: project.id, audienceId }
  const changed = useChangedBy('audience', audienceId)
  const { form, dialog } = useEditForm<Values, Audience>({
    object: audience ? `audience:${audienceId}` : `new-audience:${project.id}`,
    base: audience ? valuesOf(audience) : fresh,
    rules: { name: required('Enter a name.'), conditions: missingCondition },
    read: async () => valuesOf(await readAudience(project.id, audienceId)),
    write: async (values, etag) => {
      const body = bodyOf(values)
      const { data } = audience
        ? await api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body })
        : await api.POST(listPath, { params: { path, header: onlyOnce() }, body })
      return data!.data
    },
    done: async (saved) => {
      const verb = audience ? 'saved' : 'created'
      await done(
        `${saved.name} ${verb}.`,
        listPath,
        onePath,
        '/api/v1/projects/{projectId}/index',
        '/api/v1/projects/{projectId}/environments',
        stagedPath,
      )
      onClose()
      await created?.(saved)
    },
    changed,
    labels: { name: 'The name', description: 'The description', conditions: 'Who is in it' },
    shown: (field, value) =>
      field === 'conditions' && <ConditionText condition={value as Condition} names={namesIn(index)} />,
  })
  return (
    <>
      <ApiForm form={form} verb={audience ? 'Save audience' : 'Create audience'}>
        {audience && <Consequence audience={audience.content} />}
        <TextInput
          {...form.field('name')}
          label="Name"
          description="For example: Beta users."
          autoComplete="off"
          {...(audience ? {} : first)}
        />
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
        <ConditionBuilder
          label="Who is in it"
          condition={form.values.conditions}
          onChange={(conditions) => form.set('conditions', conditions)}
          attributes={index?.attributes ?? []}
          seen={seen}
          segments={index?.segments ?? []}
          error={form.error('conditions')}
          refused={form.issues}
        />
      </ApiForm>
      {dialog}
    </>
  )
}

function Consequence({ audience }: { audience: Audience }) {
  const { environments } = usePlace()
  const names = environmentsOf(audience, environments).map(({ name }) => name)
  if (names.length === 0) return <Notice>This audience is unused, so changes have no effect on visitors.</Notice>
  return (
    <Notice tone="unpublished">
      {allOf(names)} will show a change of the conditions as unpublished. Visitors get it with the next publish there.
    </Notice>
  )
}
