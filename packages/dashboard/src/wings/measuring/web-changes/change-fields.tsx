import { Button, Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { WebChangeType } from '../../../ui/changes/web-change-sentence.ts'
import { CodeArea } from '../../../ui/code/code-area.tsx'
import { Choices } from '../../../ui/form/choices.tsx'
import type { Form } from '../../../ui/form/form.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import classes from './change-fields.module.css'
import { type ChangeValues, positionWords, typeWords } from './change-form.ts'
import type { Page } from './change-set.ts'

type ChangeForm = Form<ChangeValues>

/** The fields of a change: what it does, where, and what its type needs. */
export function ChangeFields({ form, pages }: { form: ChangeForm; pages: readonly Page[] }) {
  const { values, set, field } = form
  return (
    <>
      <NativeSelect
        {...field('type')}
        label="What to change"
        description={typeWords[values.type].about}
        data={Object.entries(typeWords).map(([value, { label }]) => ({ value, label }))}
        data-autofocus
      />
      <NativeSelect
        {...field('page')}
        label="Page"
        data={[
          { value: '', label: 'Every page of the experiment' },
          ...pages.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      <SelectorField
        form={form}
        name="selector"
        label="Element"
        description="A CSS selector. The change acts on every element that it finds."
      />
      {ofType[values.type](form)}
      {values.type !== 'HIDE' && (
        <Disclosure summary="What the element showed before" isOpenAtFirst={values.was !== ''}>
          <Textarea
            {...field('was')}
            label="Before"
            description="For people who review the change or build it in. It is never sent to visitors."
            autosize
            maxRows={6}
            onChange={(event) => set('was', event.currentTarget.value)}
          />
        </Disclosure>
      )}
    </>
  )
}

const ofType: Record<WebChangeType, (form: ChangeForm) => ReactNode> = {
  TEXT: ({ field }) => <Textarea {...field('value')} label="New text" autosize minRows={2} maxRows={10} />,
  HTML: (form) => <HtmlField form={form} label="New content" />,
  ATTRIBUTE: (form) => <AttributeFields form={form} />,
  IMAGE: (form) => <ImageFields form={form} />,
  CLASS: (form) => <ClassFields form={form} />,
  STYLE: (form) => <StyleFields form={form} />,
  HIDE: ({ values, set }) => (
    <Checkbox
      label="Keep its space empty"
      description="Otherwise what follows moves up."
      checked={values.keepSpace}
      onChange={(event) => set('keepSpace', event.currentTarget.checked)}
    />
  ),
  INSERT: (form) => (
    <>
      <PositionField form={form} label="Where" />
      <HtmlField form={form} label="HTML to add" />
    </>
  ),
  MOVE: (form) => (
    <>
      <SelectorField form={form} name="to" label="Target" description="The element beside or into which it moves." />
      <PositionField form={form} label="Where, as seen from the target" />
    </>
  ),
}

interface SelectorProps {
  form: ChangeForm
  name: 'selector' | 'to'
  label: string
  description: string
}

const SelectorField = ({ form, name, ...words }: SelectorProps) => (
  <TextInput
    {...form.field(name)}
    {...words}
    placeholder={name === 'selector' ? 'main h1' : '.hero'}
    classNames={{ input: classes.code ?? '' }}
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
  />
)

const HtmlField = ({ form, label }: { form: ChangeForm; label: string }) => (
  <CodeArea
    label={label}
    name="value"
    description="Scripts, frames and handlers such as onclick are refused."
    value={form.values.value}
    error={form.error('value')}
    onChange={(value) => form.set('value', value)}
    rows={6}
  />
)

const PositionField = ({ form, label }: { form: ChangeForm; label: string }) => (
  <NativeSelect
    {...form.field('position')}
    label={label}
    data={Object.entries(positionWords).map(([value, words]) => ({ value, label: words }))}
  />
)

function AttributeFields({ form: { values, set, field } }: { form: ChangeForm }) {
  return (
    <>
      <TextInput
        {...field('name')}
        label="Name of the attribute"
        placeholder="href"
        classNames={{ input: classes.code ?? '' }}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <Checkbox
        label="Remove the attribute"
        checked={values.removes}
        onChange={(event) => set('removes', event.currentTarget.checked)}
      />
      {!values.removes && <Textarea {...field('value')} label="New value" autosize minRows={1} maxRows={6} />}
    </>
  )
}

function ImageFields({ form: { values, set, field } }: { form: ChangeForm }) {
  return (
    <>
      <TextInput
        {...field('value')}
        label="Address of the image"
        placeholder="/images/team.webp"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <Checkbox
        label="Change the alternative text"
        checked={values.setsAlt}
        onChange={(event) => set('setsAlt', event.currentTarget.checked)}
      />
      {values.setsAlt && (
        <TextInput
          {...field('alt')}
          label="Alternative text"
          description="What people hear who cannot see the image. Leave it empty for decoration."
          autoComplete="off"
        />
      )}
    </>
  )
}

function ClassFields({ form: { values, set, error } }: { form: ChangeForm }) {
  return (
    <>
      {(['add', 'remove'] as const).map((name) => (
        <Choices
          key={name}
          legend={name === 'add' ? 'Classes to add' : 'Classes to remove'}
          name={name}
          error={error(name)}
        >
          <ListField
            label={name === 'add' ? 'Classes to add' : 'Classes to remove'}
            placeholder={name === 'add' ? 'is-wide' : 'is-narrow'}
            values={values[name]}
            isInvalid={error(name) !== undefined}
            onChange={(names) => set(name, names)}
          />
        </Choices>
      ))}
    </>
  )
}

function StyleFields({ form }: { form: ChangeForm }) {
  const { values, set, error, faults } = form
  const { style } = values
  const faultOf = (input: string) => faults.find(({ name }) => name === input)?.message
  const change = (at: number, next: Partial<ChangeValues['style'][number]>, input: 'property' | 'value') =>
    set('style', style.with(at, { ...style[at]!, ...next }), `style.${at}.${input}`)
  return (
    <Choices
      legend="Properties"
      name="style"
      description="They win over the CSS of the page: “!important” is added by itself."
      error={error('style')}
    >
      {style.map(({ property, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a declaration has no other identity while it is typed
        <div key={at} className={classes.row}>
          <TextInput
            name={`style.${at}.property`}
            aria-label={`Property ${at + 1}`}
            placeholder="background-color"
            classNames={{ input: classes.code ?? '' }}
            value={property}
            error={faultOf(`style.${at}.property`)}
            onChange={(event) => change(at, { property: event.currentTarget.value }, 'property')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <TextInput
            name={`style.${at}.value`}
            aria-label={`Value ${at + 1}`}
            placeholder="#0055ff"
            classNames={{ input: classes.code ?? '' }}
            value={value}
            error={faultOf(`style.${at}.value`)}
            onChange={(event) => change(at, { value: event.currentTarget.value }, 'value')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <Button
            variant="subtle"
            color="gray"
            className={classes.remove ?? ''}
            aria-label={`Remove property ${at + 1}`}
            disabled={style.length === 1}
            onClick={() => set('style', style.toSpliced(at, 1))}
          >
            <IconX size={16} aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button variant="default" size="xs" onClick={() => set('style', [...style, { property: '', value: '' }])}>
          Add a property
        </Button>
      </div>
      {style.length > 1 && (
        <Text size="xs" c="dimmed">
          Empty rows are left out.
        </Text>
      )}
    </Choices>
  )
}
