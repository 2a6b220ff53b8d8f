import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useNewForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ApiForm, first, required } from '../../../ui/form.tsx'
import { typeWords } from '../../../ui/status-words.ts'
import { useDone } from '../../../versioned.ts'
import { keyOfName } from './key-of-name.ts'
import { type FlagType, startingVariations } from './new-variations.ts'

/** Asks for a name; everything else has a value that can be kept. Then it opens the page of the flag. */
export function CreateFlag({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Create a flag">
      <FlagForm onClose={onClose} />
    </Dialog>
  )
}

function FlagForm({ onClose }: { onClose: () => void }) {
  const { project, params } = usePlace()
  const done = useDone()
  const navigate = useNavigate()
  const form = useNewForm({
    object: `new-flag:${project.id}`,
    initial: { name: '', key: '', type: 'BOOLEAN' as FlagType, description: '', tags: '' },
    rules: { name: required('Enter a name.'), key: required('Enter a key.') },
    send: async ({ tags, description, ...body }) => {
      const variations = [...startingVariations[body.type]]
      const { data } = await api.POST('/api/v1/projects/{projectId}/flags', {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: {
          ...body,
          variations,
          defaultVariationKey: variations[0]!.key,
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
        description="What people read, for example: One-page checkout."
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
        label="Type"
        description="It cannot be changed later."
        data={(Object.keys(startingVariations) as FlagType[]).map((value) => ({
          value,
          label: typeWords[value] ?? value,
        }))}
      />
      <Text size="sm" c="dimmed">
        It begins with two variations, {startingVariations[values.type].map(({ name }) => name).join(' and ')}, and
        serves nobody until you run it.
      </Text>
      <Disclosure summary="Description and tags">
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
        <TextInput {...form.field('tags')} label="Tags" description="Separated by commas." mt="sm" autoComplete="off" />
      </Disclosure>
    </ApiForm>
  )
}

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]
