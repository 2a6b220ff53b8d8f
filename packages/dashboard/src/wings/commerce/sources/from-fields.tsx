import { NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { Choices } from '../../../ui/form/choices.tsx'
import { first } from '../../../ui/form/form.tsx'
import type { SourceFieldsProps } from './source-fields.tsx'
import type { SourceValues } from './source-form.ts'

const froms = [
  ['URL', 'An address', 'The file is fetched from your shop, also by a schedule.'],
  ['FILE', 'Files that you send', 'Your program or a person sends each file.'],
] as const

const signIns = [
  { value: 'NONE', label: 'None: anybody can open the address' },
  { value: 'BASIC', label: 'User name and password' },
  { value: 'BEARER', label: 'Bearer token' },
  { value: 'HEADER', label: 'A header with a secret' },
]

/** The first step: the name, and how the service gets the file. */
export function FromFields({ form, kept }: SourceFieldsProps) {
  const { from, authType } = form.values
  return (
    <>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="What people read, for example: Main feed."
        autoComplete="off"
        {...first}
      />
      <Choices legend="The file comes from" name="from">
        {froms.map(([value, label, description]) => (
          <Radio
            key={value}
            name="from-choice"
            value={value}
            label={label}
            description={description}
            checked={from === value}
            onChange={() => form.set('from', value)}
          />
        ))}
      </Choices>
      {from === 'URL' && (
        <>
          <TextInput
            {...form.field('url')}
            label="Address of the file"
            description="A public address with https. XML of Google, CSV, JSON lines and products.json of Shopify are read."
            placeholder="https://shop.example/feed.xml"
            type="url"
            autoComplete="off"
            spellCheck={false}
          />
          <NativeSelect
            label="Sign-in"
            name="authType"
            value={authType}
            data={signIns}
            onChange={(event) => form.set('authType', event.currentTarget.value as SourceValues['authType'])}
          />
          {authType !== 'NONE' && <SignIn form={form} kept={kept} />}
        </>
      )}
    </>
  )
}

const secretLabels = { BASIC: 'Password', BEARER: 'Token', HEADER: 'Value of the header', NONE: '' }

function SignIn({ form, kept }: SourceFieldsProps) {
  const { authType } = form.values
  const isKept = kept !== undefined && kept !== null
  return (
    <Stack gap="md">
      {authType === 'BASIC' && (
        <TextInput {...form.field('username')} label="User name" autoComplete="off" spellCheck={false} />
      )}
      {authType === 'HEADER' && (
        <TextInput
          {...form.field('header')}
          label="Name of the header"
          placeholder="X-Api-Key"
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <PasswordInput
        {...form.field('secret')}
        label={secretLabels[authType]}
        description={
          isKept
            ? `Leave this empty to keep the one that ends in ${kept.secret?.replace('…', '') || 'what is not shown'}.`
            : 'It is stored sealed. Afterwards, only its last four characters are shown.'
        }
        autoComplete="new-password"
      />
    </Stack>
  )
}
