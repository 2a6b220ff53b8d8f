import { Text, Textarea, TextInput } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { ConditionBuilder, type ConditionIssue } from '../../../ui/condition-builder.tsx'
import { ConditionText } from '../../../ui/condition-text.tsx'
import type { Condition } from '../../../ui/conditions.ts'
import { ApiForm, first, required, useForm } from '../../../ui/form.tsx'
import { allOf } from '../../../ui/lists.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { useMergedSave } from '../references/merged-save.tsx'
import { type Audience, conditionOf, environmentsOf, listPath, namesIn, onePath, readAudience } from './audience.ts'

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

const fieldsOf = (audience: Audience): Values => ({
  name: audience.name,
  description: audience.description ?? '',
  conditions: conditionOf(audience),
})

const fresh: Values = { name: '', description: '', conditions: { all: [] } }

const bodyOf = ({ name, description, conditions }: Values) => ({
  name,
  description: description.trim() || null,
  conditions,
})

function AudienceForm({ audience, onClose, done: created }: AudiencePanelProps) {
  const { project } = usePlace()
  const { data: index } = useProjectIndex()
  const done = useDone()
  const [issues, setIssues] = useState<ConditionIssue[]>([])
  const changed = useChangedBy('audience', audience?.content.id ?? '')
  // What the form began with stays its base, even if the page reads a newer version meanwhile.
  const [base] = useState(() => audience && { content: fieldsOf(audience.content), etag: audience.etag })
  const audienceId = audience?.content.id ?? ''
  const path = { projectId: project.id, audienceId }

  const finish = async ({ name }: Values) => {
    await done(`${name} saved.`, listPath, onePath, '/api/v1/projects/{projectId}/index')
    onClose()
  }
  const save = useMergedSave<Values>({
    base: base ?? { content: fresh, etag: '' },
    read: async () => {
      const { content, etag } = await readAudience(project.id, audienceId)
      return { content: fieldsOf(content), etag }
    },
    write: (values, etag) => api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body: bodyOf(values) }),
    done: finish,
    who: changed?.name,
    labels: { name: 'The name', description: 'The description', conditions: 'Who is in it' },
    shown: (field, value) =>
      field === 'conditions' ? (
        <ConditionText condition={value as Condition} names={namesIn(index)} />
      ) : (
        String(value || 'none')
      ),
  })
  const form = useForm<Values, Audience | boolean>({
    initial: base?.content ?? fresh,
    rules: { name: required('Enter a name.') },
    send: async (values) => {
      setIssues([])
      try {
        if (audience) return await save.send(values)
        const { data } = await api.POST(listPath, {
          params: { path: { projectId: project.id }, header: onlyOnce() },
          body: bodyOf(values),
        })
        return data!.data
      } catch (error) {
        setIssues(conditionIssues(error))
        throw error
      }
    },
    done: async (answer, values) => {
      if (typeof answer !== 'boolean') {
        await done(`${answer.name} created.`, listPath, '/api/v1/projects/{projectId}/index')
        onClose()
        await created?.(answer)
      } else if (answer) await finish(values)
    },
  })
  return (
    <>
      <ApiForm form={form} verb={audience ? 'Save audience' : 'Create audience'}>
        {audience && <Consequence audience={audience.content} />}
        <TextInput
          {...form.field('name')}
          label="Name"
          description="What people read, for example: Beta users."
          autoComplete="off"
          {...(audience ? {} : first)}
        />
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
        <ConditionBuilder
          label="Who is in it"
          condition={form.values.conditions}
          onChange={(conditions) => {
            form.set('conditions', conditions)
            setIssues([])
          }}
          attributes={index?.attributes ?? []}
          segments={index?.segments ?? []}
          issues={issues}
        />
        {form.error('conditions') && issues.length === 0 && (
          <Text size="sm" role="alert">
            {form.error('conditions')}
          </Text>
        )}
      </ApiForm>
      {save.dialog}
    </>
  )
}

function Consequence({ audience }: { audience: Audience }) {
  const { environments } = usePlace()
  const names = environmentsOf(audience, environments).map(({ name }) => name)
  if (names.length === 0) return <Notice>No rule uses this audience, so no visitor notices a change.</Notice>
  return (
    <Notice tone="unpublished">
      {allOf(names)} will show a change of the conditions as unpublished. Visitors get it with the next publish there.
    </Notice>
  )
}

/** The issues of the conditions, with paths from their root. */
function conditionIssues(error: unknown): ConditionIssue[] {
  if (!(error instanceof ApiError)) return []
  return error.issues
    .filter(({ path }) => path[0] === 'conditions')
    .map(({ path, message }) => ({ path: path.slice(1), message }))
}
