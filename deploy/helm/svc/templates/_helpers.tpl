{{- define "svc.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* What the schema of the values cannot say. */ -}}
{{- define "svc.checked" -}}
{{- if and .Values.persistence.enabled (or (gt (int .Values.replicaCount) 1) .Values.worker.enabled) -}}
{{- fail "persistence.enabled: the embedded database has one node, so set replicaCount to 1 and worker.enabled to false" -}}
{{- end -}}
{{- if not (or .Values.persistence.enabled .Values.existingSecret) -}}
{{- fail "existingSecret must name a secret with database-url and secret-key, unless persistence.enabled" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.host must be given with ingress.enabled" -}}
{{- end -}}
{{- if and .Values.provisioning.secret .Values.provisioning.configMap -}}
{{- fail "provisioning: name a secret or a config map, not both" -}}
{{- end -}}
{{- end -}}

{{- define "svc.serviceAccount" -}}
{{- default (ternary (include "svc.name" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- /* Two processes cannot have the same embedded database. Never fewer nodes than wanted: a start takes seconds. */ -}}
{{- define "svc.strategy" -}}
{{- if or .Values.persistence.enabled (eq .Values.strategy "Recreate") -}}
type: Recreate
{{- else -}}
type: RollingUpdate
rollingUpdate:
  maxUnavailable: 0
  maxSurge: 1
{{- end -}}
{{- end -}}

{{- /* What all containers of a pod have in common: takes the dict of the pod. */ -}}
{{- define "svc.container" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- if $values.image.digest }}
image: {{ printf "%s@%s" $values.image.repository $values.image.digest | quote }}
{{- else }}
image: {{ printf "%s:%s" $values.image.repository (default $root.Chart.AppVersion $values.image.tag) | quote }}
{{- end }}
imagePullPolicy: {{ $values.image.pullPolicy }}
env:
  - name: SVC_ROLE
    value: {{ .role }}
  - name: SVC_BASE_URL
    value: {{ $values.baseUrl | quote }}
  - name: SVC_TRUST_PROXY
    value: {{ $values.trustProxy | quote }}
  - name: SVC_METRICS_PORT
    value: "9464"
  {{- if $values.existingSecret }}
  {{- if not $values.persistence.enabled }}
  - name: SVC_DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: {{ $values.existingSecret }}
        key: database-url
  {{- end }}
  - name: SVC_SECRET_KEY
    valueFrom:
      secretKeyRef:
        name: {{ $values.existingSecret }}
        key: secret-key
  {{- if $values.redis }}
  - name: SVC_REDIS_URL
    valueFrom:
      secretKeyRef:
        name: {{ $values.existingSecret }}
        key: redis-url
  {{- end }}
  {{- end }}
  {{- range $name, $file := $values.secretFiles }}
  - name: {{ $name }}
    value: /etc/svc/secrets/{{ $name }}
  {{- end }}
  {{- if or $values.provisioning.secret $values.provisioning.configMap }}
  - name: SVC_BOOTSTRAP_FILE
    value: {{ printf "/etc/svc/provisioning/%s" $values.provisioning.key | quote }}
  {{- end }}
  {{- range $name, $value := $values.settings }}
  - name: {{ $name }}
    value: {{ $value | toString | quote }}
  {{- end }}
  {{- with $values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
  {{- if $values.secretFiles }}
  - name: secret-files
    mountPath: /etc/svc/secrets
    readOnly: true
  {{- end }}
  {{- if or $values.provisioning.secret $values.provisioning.configMap }}
  - name: provisioning
    mountPath: /etc/svc/provisioning
    readOnly: true
  {{- end }}
  {{- with $values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- /* A pod: takes a dict with root, role (all, api or worker) and resources. */ -}}
{{- define "svc.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
metadata:
  labels:
    {{- include "svc.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  # Kubernetes would set SVC_PORT for a Service called svc, and the start refuses it.
  enableServiceLinks: false
  serviceAccountName: {{ include "svc.serviceAccount" $root }}
  automountServiceAccountToken: {{ $values.serviceAccount.automountToken }}
  terminationGracePeriodSeconds: 30
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile:
      type: RuntimeDefault
  {{- if not $values.persistence.enabled }}
  initContainers:
    # Brings the database up to date where no old node runs. All others wait until it is up to date: workers for the
    # other nodes, and new nodes of a RollingUpdate for somebody who chooses Recreate.
    - name: migrate
      args: [migrate{{ if or (eq .role "worker") (ne $values.strategy "Recreate") }}, --if-empty{{ end }}]
      {{- include "svc.container" . | nindent 6 }}
  {{- end }}
  containers:
    - name: svc
      ports:
        - name: http
          containerPort: 4000
        - name: metrics
          containerPort: 9464
      {{- include "svc.container" . | nindent 6 }}
      startupProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        failureThreshold: 150
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if $values.secretFiles }}
    - name: secret-files
      projected:
        defaultMode: 0440
        sources:
          {{- range $name, $file := $values.secretFiles }}
          - secret:
              name: {{ $file.secret | quote }}
              items:
                - key: {{ $file.key | quote }}
                  path: {{ $name }}
          {{- end }}
    {{- end }}
    {{- with $values.provisioning }}
    {{- if or .secret .configMap }}
    - name: provisioning
      {{- if .secret }}
      secret:
        secretName: {{ .secret | quote }}
        defaultMode: 0440
      {{- else }}
      configMap:
        name: {{ .configMap | quote }}
      {{- end }}
    {{- end }}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    - name: data
      {{- if $values.persistence.enabled }}
      persistentVolumeClaim:
        claimName: {{ include "svc.name" $root }}-data
      {{- else }}
      emptyDir: {}
      {{- end }}
  {{- if not $values.persistence.enabled }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "svc.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
