import { NativeSelect } from '@mantine/core'
import { CommandLine } from '../../../ui/code/command-line.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { datasetsPath } from '../datasets/dataset.ts'
import { ActionFields, EnvironmentField } from '../events/action-fields.tsx'
import { useWholeList } from '../use-whole-list.ts'
import { type ModelValues, readsEvents } from './model-form.ts'
import { datasetKindOf } from './model-words.ts'

/** What a model learns from, by its strategy: a dataset, or events. The catalog needs no field. */
export function LearnsFromFields({ form }: { form: Form<ModelValues> }) {
  const kind = datasetKindOf(form.values.strategy)
  if (kind) return <DatasetField form={form} kind={kind} />
  if (!readsEvents(form.values)) return null
  return (
    <>
      <EnvironmentField form={form} />
      <ActionFields form={form} />
    </>
  )
}

function DatasetField({ form, kind }: { form: Form<ModelValues>; kind: 'INTERACTIONS' | 'NEIGHBOURS' }) {
  const { data } = useWholeList(datasetsPath)
  const fitting = data?.filter((dataset) => dataset.kind === kind) ?? []
  return (
    <>
      <NativeSelect
        {...form.field('datasetId')}
        label="Dataset"
        description={
          kind === 'INTERACTIONS' ? 'What visitors did with products.' : 'Pairs of products that you have trained.'
        }
        data={[
          { value: '', label: 'Choose a dataset' },
          ...fitting.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {data && fitting.length === 0 && (
        <Notice title="No such dataset yet">
          <CommandLine
            command={
              kind === 'INTERACTIONS'
                ? 'svc dataset create --name Behaviour --kind INTERACTIONS --cron "45 2 * * *"'
                : 'svc dataset create --name Trained --kind NEIGHBOURS'
            }
          />
        </Notice>
      )}
    </>
  )
}
