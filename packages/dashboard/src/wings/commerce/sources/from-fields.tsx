import { Checkbox, NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { first } from '../../../ui/form/form.tsx'
import type { Source } from './source.ts'
import type { SourceFieldsProps } from './source-fields.tsx'
import type { SourceValues } from './source-form.ts'
import { aboutTypes, brings, supplementFields } from './source-words.ts'

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

interface FromFieldsProps extends SourceFieldsProps {
  /** Whether the type can still be chosen. */
  isNew?: boolean
}

/** The first step: the name, what the source brings, and how the service gets the file. */
export function FromFields({ form, kept, isNew = false }: FromFieldsProps) {
  const { from, authType } = form.values
  return (
    <>
      <TextInput
        {...form.field('name')}
        label="Name"
        description="For example: Main feed."
        autoComplete="off"
        {...first}
      />
      {isNew && <TypeField form={form} />}
      <OwnFields form={form} />
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
            description={`A public address with https. ${read[form.values.type]}`}
            placeholder={examples[form.values.type]}
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

const read: Record<Source['type'], string> = {
  PRODUCTS: 'XML of Google, CSV, JSON lines and products.json of Shopify are read.',
  SUPPLEMENT: 'CSV, JSON lines and XML of Google are read.',
  ORDERS: 'CSV with a line for each item, and JSON lines with an order in each are read.',
}

const examples: Record<Source['type'], string> = {
  PRODUCTS: 'https://shop.example/feed.xml',
  SUPPLEMENT: 'https://shop.example/costs.csv',
  ORDERS: 'https://shop.example/orders.csv',
}

const types = Object.keys(brings) as Source['type'][]

/** Supplements and orders have a form of their own, so this cannot change later. */
function TypeField({ form }: SourceFieldsProps) {
  return (
    <Choices legend="What it contains" name="type" description="This cannot change later.">
      {types.map((type) => (
        <Radio
          key={type}
          name="type-choice"
          value={type}
          label={brings[type]}
          description={aboutTypes[type]}
          checked={form.values.type === type}
          onChange={() => form.set('type', type)}
        />
      ))}
    </Choices>
  )
}

/** What only one type has: the fields of a supplement, and the environment of orders. */
function OwnFields({ form }: SourceFieldsProps) {
  const { environments } = usePlace()
  const { type, fields } = form.values
  if (type === 'ORDERS')
    return (
      <NativeSelect
        {...form.field('envId')}
        label="Environment"
        description="Where the orders count in results."
        data={environments.map(({ id, name }) => ({ value: id, label: name }))}
      />
    )
  if (type === 'PRODUCTS') return null
  return (
    <Choices
      legend="Fields that it sets"
      name="fields"
      description="Of the items that its rows name by id, SKU or GTIN. Other columns are not looked at."
      error={form.error('fields')}
    >
      {Object.entries(supplementFields).map(([field, label]) => (
        <Checkbox
          key={field}
          label={label}
          checked={fields.includes(field)}
          onChange={({ currentTarget }) =>
            form.set('fields', currentTarget.checked ? [...fields, field] : fields.filter((each) => each !== field))
          }
        />
      ))}
    </Choices>
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
