import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import type { Environment } from '../../../shell/place.ts'
import { missingCondition } from '../../../ui/conditions/condition-check.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, required } from '../../../ui/form/form.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../../flags/flags/flag-queries.ts'
import type { TargetingContext } from '../../flags/flags/targeting-place.ts'
import { fieldWords, type RuleValues } from '../../flags/rules/rule-form.ts'
import { type Experiment, listPath, onePath, readExperiment } from './experiment.ts'
import { ExperimentFields, HypothesisField, OwnFields } from './experiment-fields.tsx'
import { countRule, type ExperimentValues, labels, ownWords, updateOf, valuesOf } from './experiment-form.ts'
import { useKnownVersions } from './known-versions.ts'
import { OnFlag, OnPages } from './on-flag.tsx'

interface EditExperimentProps {
  experiment: Versioned<Experiment>
  /** None for a web experiment. */
  flag?: Flag
  environment: Environment
  onClose: () => void
}

/** Edits an experiment in a panel. Two edits are merged by field. */
export function EditExperiment(props: EditExperimentProps) {
  const { experiment, flag, environment, onClose } = props
  return (
    <SidePanel title={`Edit ${experiment.content.name}`} description={environment.name} onClose={onClose}>
      {flag ? (
        <OnFlag flag={flag} environment={environment}>
          {(place) => <EditForm {...props} place={place} />}
        </OnFlag>
      ) : (
        <OnPages experiment={experiment.content} environment={environment}>
          {(place) => <EditForm {...props} place={place} />}
        </OnPages>
      )}
    </SidePanel>
  )
}

function EditForm({ experiment, environment, place, onClose }: EditExperimentProps & { place: TargetingContext }) {
  const { content, etag } = experiment
  const client = useQueryClient()
  const done = useDone()
  const changed = useChangedBy('experiment', content.id)
  const versions = useKnownVersions(experiment)
  const path = { projectId: content.projectId, experimentId: content.id }
  const { form, dialog } = useEditForm<ExperimentValues, Experiment>({
    object: `experiment:${content.id}`,
    base: { content: valuesOf(content), etag },
    rules: {
      name: required('Enter a name.'),
      conditions: missingCondition,
      plannedUnits: countRule,
      maxUnits: countRule,
    },
    read: async () => {
      const latest = versions.keep(await readExperiment(content.projectId, content.id))
      return { content: valuesOf(latest.content), etag: latest.etag }
    },
    write: async (values, etag) => {
      const { data } = await api.PATCH(onePath, {
        params: { path, header: onlyIf(etag) },
        body: updateOf(values, versions.at(etag)),
      })
      return data!.data
    },
    done: async (saved) => {
      onClose()
      await refreshFlag(client)
      await done(
        `${saved.name} saved.${saved.hasStagedChanges && saved.launchedAt ? ' Visitors get it with the next publish.' : ''}`,
        listPath,
        onePath,
      )
    },
    changed,
    labels,
    shown: (field, value) => ownWords(field, value) ?? fieldWords(field as keyof RuleValues, value, place.names),
  })
  const isOver = content.completedAt !== null
  return (
    <>
      <ApiForm form={form} verb="Save experiment" summary={summaryOf(content, environment.name)}>
        {isOver ? (
          <>
            <TextInput {...form.field('name')} label="Name" autoComplete="off" />
            <HypothesisField form={form} />
          </>
        ) : (
          <ExperimentFields form={form} live={place.inEnvironment.live.rules.find(({ id }) => id === content.ruleId)} />
        )}
        <OwnFields form={form} isOver={isOver} />
      </ApiForm>
      {dialog}
    </>
  )
}

function summaryOf({ completedAt, launchedAt }: Experiment, place: string): string {
  if (completedAt !== null) return 'The test has ended, so what it tested can no longer change.'
  if (launchedAt === null) return `It is a draft until you launch it in ${place}.`
  return `Name, hypothesis, description, tags and pauses change at once. Visitors in ${place} get the rest when you publish it.`
}
