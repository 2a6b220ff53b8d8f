import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { useDone } from '../../../versioned.ts'
import { listPath } from './experiment.ts'

const counts = [2, 3, 4]

/** The form of a new web experiment: its name, its hypothesis and its variations. The first variation is the baseline. */
export function NewWebExperiment({ onClose }: { onClose: () => void }) {
  const { environments } = usePlace()
  const form = useExperimentForm()
  const { names } = form.values
  const setCount = (count: number) =>
    form.set(
      'names',
      Array.from({ length: count }, (_none, at) => names[at] ?? nameAt(at)),
    )
  return (
    <SidePanel title="Create an experiment" onClose={onClose}>
      <ApiForm form={form} verb="Create draft" summary="Visitors get it when you launch it.">
        <TextInput {...form.field('name')} label="Name" autoComplete="off" {...first} />
        <Textarea
          {...form.field('hypothesis')}
          label="Hypothesis"
          description="What you expect, and why. Optional."
          autosize
          minRows={2}
        />
        <NativeSelect
          {...form.field('envKey')}
          label="Environment"
          data={environments.map(({ key, name }) => ({ value: key, label: name }))}
        />
        <NativeSelect
          label="Number of variations"
          value={String(names.length)}
          onChange={({ currentTarget: { value } }) => setCount(Number(value))}
          data={counts.map((count) => ({ value: String(count), label: String(count) }))}
        />
        <Choices
          legend="Variations"
          name="variations"
          description="The first one is the baseline. All get the same share."
        >
          {names.map((name, at) => (
            <TextInput
              // The place of a variation is what names it.
              // biome-ignore lint/suspicious/noArrayIndexKey: variations have no other identity yet
              key={at}
              label={at === 0 ? 'Baseline' : `Variation ${at}`}
              value={name}
              onChange={({ currentTarget: { value } }) => form.set('names', names.with(at, value))}
              autoComplete="off"
            />
          ))}
        </Choices>
      </ApiForm>
    </SidePanel>
  )
}

function useExperimentForm() {
  const { environments, params, project } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  return useNewForm({
    object: `new-web-experiment:${project.id}`,
    initial: { name: '', hypothesis: '', envKey: environments[0]!.key, names: ['Original', 'Variation 1'] },
    rules: { name: required('Enter a name.') },
    send: async ({ name, hypothesis, envKey, names }) => {
      const { data } = await api.POST(listPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: {
          name,
          envId: envKey,
          ...(hypothesis.trim() !== '' && { hypothesis }),
          variations: variationsOf(names),
        } as never,
      })
      return data!.data
    },
    done: async (created) => {
      await navigate({
        to: '/$org/$project/experiments/$experiment',
        params: { ...params, experiment: segmentOf(created) },
      })
      await done(`${created.name} created as a draft.`, listPath)
    },
  })
}

const whole = 10_000

const keyAt = (at: number): string => (at === 0 ? 'original' : `variation-${at}`)
const nameAt = (at: number): string => (at === 0 ? 'Original' : `Variation ${at}`)

/** Equal weights in basis points, whose sum is whole. */
export const variationsOf = (names: readonly string[]) =>
  names.map((name, at) => ({
    key: keyAt(at),
    name: name.trim() === '' ? nameAt(at) : name,
    weight: Math.floor((whole * (at + 1)) / names.length) - Math.floor((whole * at) / names.length),
  }))
