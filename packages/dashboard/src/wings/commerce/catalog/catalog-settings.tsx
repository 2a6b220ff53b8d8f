import { Radio, TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Choices } from '../../../ui/form/choices.tsx'
import { ApiForm, type Form } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { moment } from '../../../ui/time/dates.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { summaryPath } from '../orders/order.ts'
import { catalogPath } from '../products/product.ts'
import { RowsField } from '../rows-field.tsx'
import {
  type Catalog,
  type CatalogValues,
  inputOf,
  type Rate,
  rateFaults,
  rules,
  trusts,
  updateOf,
  valuesOf,
} from './catalog-form.ts'

type CatalogFields = Pick<Form<CatalogValues>, 'values' | 'set' | 'field' | 'error'>

const baseOf = ({ content, etag }: Versioned<Catalog>): Versioned<CatalogValues> => ({
  content: valuesOf(content),
  etag,
})

interface CatalogSettingsProps {
  version: Versioned<Catalog>
  read: () => Promise<Versioned<Catalog>>
}

/** The reporting currency, what others are worth, and which orders count. */
export function CatalogSettings({ version, read }: CatalogSettingsProps) {
  const { project } = usePlace()
  const done = useDone()
  const { form, dialog } = useEditForm<CatalogValues, unknown>({
    object: `catalog:${project.id}`,
    base: baseOf(version),
    rules,
    partRules: rateFaults,
    inputOf,
    read: async () => baseOf(await read()),
    write: (values, etag, base) =>
      api.PATCH(catalogPath, {
        params: { path: { projectId: project.id }, header: onlyIf(etag) },
        body: updateOf(values, base),
      }),
    done: () => done('Catalog saved.', catalogPath, summaryPath),
    labels: { currency: 'The reporting currency', rates: 'The rates', trust: 'Which orders count' },
    shown: (field, value) => {
      if (field === 'trust') return trusts[value as CatalogValues['trust']].label
      if (field === 'rates') return (value as Rate[]).map(({ key, rate }) => `${key} ${rate}`).join(', ')
      return undefined
    },
  })
  return (
    <Section title="Money and orders">
      <ApiForm form={form} verb="Save catalog">
        <TextInput
          {...form.field('currency')}
          label="Reporting currency"
          description="Revenue and margin of all orders are in it. It is also the currency of items that come without one."
          placeholder="EUR"
          maxLength={3}
          autoComplete="off"
          spellCheck={false}
        />
        <Rates form={form} />
        <Choices legend="Orders that count" name="trust" error={form.error('trust')}>
          {(Object.keys(trusts) as CatalogValues['trust'][]).map((trust) => (
            <Radio
              key={trust}
              name="trust-choice"
              value={trust}
              label={trusts[trust].label}
              description={trusts[trust].effect}
              checked={form.values.trust === trust}
              onChange={() => form.set('trust', trust)}
            />
          ))}
        </Choices>
        <Confirmed orders={version.content.orders} />
      </ApiForm>
      {dialog}
    </Section>
  )
}

function Confirmed({ orders: { trust, confirmedFrom } }: Pick<Catalog, 'orders'>) {
  const { environments } = usePlace()
  const imported = environments.filter(({ id }) => confirmedFrom[id] !== undefined)
  if (trust !== 'AUTO' || imported.length === 0) return null
  return imported.map(({ id, name }) => (
    <Notice key={id}>
      Orders of {name} have been imported: of those placed since {moment(new Date(confirmedFrom[id]!))}, only those that
      an import knows count.
    </Notice>
  ))
}

/** What one unit of other currencies is worth. */
function Rates({ form }: { form: CatalogFields }) {
  const { values, set, error } = form
  const { rates, currency } = values
  const nameOf = ({ key }: Rate, at: number) => (key.trim() === '' ? `rate ${at + 1}` : key.trim())
  return (
    <Choices
      legend="Rates"
      name="rates"
      description="An order in a currency without a rate counts as an order, but not as money. A new rate also fills orders that had none."
      error={error('rates')}
    >
      <RowsField<Rate>
        name="rates"
        rows={rates}
        empty={{ key: '', rate: '' }}
        add="Add a rate"
        nameOf={nameOf}
        onChange={(rows, input) => set('rates', rows, input)}
      >
        {(row, at, change) => (
          <>
            <TextInput
              aria-label={`Currency of rate ${at + 1}`}
              name={`rates.${at}.key`}
              value={row.key}
              placeholder="USD"
              maxLength={3}
              error={error(`rates.${at}.key` as never)}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change('key', event.currentTarget.value)}
            />
            <TextInput
              aria-label={`Worth of 1 ${nameOf(row, at)} in ${currency || 'the reporting currency'}`}
              name={`rates.${at}.rate`}
              value={row.rate}
              placeholder="0.92"
              inputMode="decimal"
              rightSection={currency}
              rightSectionWidth={48}
              error={error(`rates.${at}.rate` as never)}
              autoComplete="off"
              onChange={(event) => change('rate', event.currentTarget.value)}
            />
          </>
        )}
      </RowsField>
    </Choices>
  )
}
