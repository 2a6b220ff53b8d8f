import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, type FieldProps, first, required } from '../../../ui/form/form.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { typeWords } from '../../../ui/status/status-words.ts'
import { useDone } from '../../../versioned.ts'
import {
  type FlagType,
  inputsOf,
  startingVariations,
  type VariationInputs,
  variationsOf,
} from '../variations/new-variations.ts'
import { ValueField } from '../variations/value-field.tsx'
import { faultOf } from '../variations/variation-values.ts'
import classes from './create-flag.module.css'
import { keyOfName } from './key-of-name.ts'

/** Asks for a name; everything else has a value that can be kept. Then it opens the page of the flag. */
export function CreateFlag({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Create a flag">
      <FlagForm onClose={onClose} />
    </Dialog>
  )
}

function FlagForm({ onClose }: { onClose: () => void }) {
  const form = useFlagForm(onClose)
  const { values, set } = form
  const isOwnKey = values.key !== '' && values.key !== keyOfName(values.name)
  return (
    <ApiForm form={form} verb="Create flag">
      <TextInput
        {...form.field('name')}
        onChange={({ currentTarget: { value } }) => {
          set('name', value)
          if (!isOwnKey) set('key', keyOfName(value))
        }}
        label="Name"
        description="For example: One-page checkout."
        autoComplete="off"
        {...first}
      />
      <TextInput
        {...form.field('key')}
        label="Key"
        description="What your code asks for."
        autoComplete="off"
        spellCheck={false}
      />
      <NativeSelect
        {...form.field('type')}
        onChange={({ currentTarget: { value } }) => {
          const type = value as FlagType
          set('type', type)
          for (const [name, text] of Object.entries(inputsOf(type))) set(name as keyof VariationInputs, text)
        }}
        label="Type"
        description="It cannot be changed later."
        data={(Object.keys(startingVariations) as FlagType[]).map((value) => ({
          value,
          label: typeWords[value] ?? value,
        }))}
      />
      {values.type === 'BOOLEAN' ? (
        <Text size="sm" c="dimmed">
          It begins with two variations, Off and On, and takes effect when you run it.
        </Text>
      ) : (
        <>
          <Variations type={values.type} field={form.field} />
          <Text size="sm" c="dimmed">
            Everyone gets the first variation until a rule applies. The flag takes effect when you run it. You can add
            two more variations later.
          </Text>
        </>
      )}
      <Disclosure summary="Description and tags">
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
        <TextInput {...form.field('tags')} label="Tags" description="Separated by commas." mt="sm" autoComplete="off" />
      </Disclosure>
    </ApiForm>
  )
}

function useFlagForm(onClose: () => void) {
  const { project, params } = usePlace()
  const done = useDone()
  const navigate = useNavigate()
  return useNewForm({
    object: `new-flag:${project.id}`,
    initial: { name: '', key: '', type: 'BOOLEAN' as FlagType, ...inputsOf('BOOLEAN'), description: '', tags: '' },
    rules: {
      name: required('Enter a name.'),
      key: required('Enter a key.'),
      'variations.0.name': required('Enter a name.'),
      'variations.0.value': (value, { type }) => faultOf(type, value),
      'variations.1.name': (name, values) => {
        const [one, other] = variationsOf(values.type, values)
        if (name.trim() === '') return 'Enter a name.'
        return one.key === other.key ? 'Choose a name that differs from the first.' : undefined
      },
      'variations.1.value': (value, { type }) => faultOf(type, value),
    },
    send: async (values) => {
      const { name, key, type, tags, description } = values
      const variations = variationsOf(type, values)
      const { data } = await api.POST('/api/v1/projects/{projectId}/flags', {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: {
          ...{ name, key, type, variations },
          defaultVariationKey: variations[0].key,
          description: description.trim() || null,
          tags: tagsIn(tags),
        },
      })
      return data!.data
    },
    done: async (flag) => {
      await done(`${flag.name} created.`, '/api/v1/projects/{projectId}/index')
      onClose()
      await navigate({ to: '/$org/$project/flags/$flag', params: { ...params, flag: flag.key } })
    },
  })
}

/** What visitors can get. On and off need no choice; any other type does. */
function Variations({ type, field }: { type: FlagType; field: (name: keyof VariationInputs) => FieldProps }) {
  return ([0, 1] as const).map((place) => (
    <fieldset key={place} className={classes.variation}>
      <legend className={classes.legend}>
        <Variation name={place === 0 ? 'First variation' : 'Second variation'} place={place} />
      </legend>
      <TextInput {...field(`variations.${place}.name`)} label="Name" autoComplete="off" />
      <ValueField type={type} {...field(`variations.${place}.value`)} />
    </fieldset>
  ))
}

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]
