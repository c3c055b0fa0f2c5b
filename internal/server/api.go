package server

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"vitrine"
	"vitrine/internal/reward"
)

// routes registers everything the service answers by itself.
func (s *Server) routes() {
	api := humago.New(s.mux, config())
	api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	huma.Register(api, s.operation(http.MethodPost, "/v1/score", "Score outputs", "Answers every item, in order: a reward, or null with its cause. Equal items are judged once, also over several requests."), s.score)
	huma.Register(api, s.operation(http.MethodGet, "/v1/recipes", "List the recipes", "The first is the default."), s.listRecipes)
	huma.Register(api, s.operation(http.MethodGet, "/v1/recipes/{name}", "Show a recipe", "With everything that can change a reward."), s.showRecipe)
	huma.Register(api, s.operation(http.MethodGet, "/v1/tasks", "List the tasks", "Sorted by id."), s.listTasks)
	huma.Register(api, s.operation(http.MethodGet, "/v1/tasks/{id}", "Show a task", ""), s.showTask)
	s.jobRoutes(api)
	s.sessionRoutes(api)
	s.plainRoutes(api.OpenAPI())
}

// plainRoutes answer with something else than JSON, or with bodies of any shape.
func (s *Server) plainRoutes(doc *huma.OpenAPI) {
	for _, r := range []struct {
		path, summary string
		handle        http.HandlerFunc
	}{
		{"/v1/evidence/{hash}/{file...}", "One file of an evidence folder, or the list of them", s.handleEvidence},
		{"/v1/frames/{name}", "A screenshot by the hash of its bytes, HASH.png", s.handleFrame},
		{"/healthz", "The process lives", s.handleHealth},
		{"/readyz", "A worker with a browser is there", s.handleReady},
		{"/metrics", "Figures for Prometheus", s.handleMetrics},
		{"/{$}", "A page for people", s.handleStatus},
	} {
		s.mux.HandleFunc("GET "+r.path, r.handle)
		op := s.operation(http.MethodGet, strings.NewReplacer("...}", "}", "{$}", "").Replace(r.path), r.summary, "")
		op.Responses["200"] = &huma.Response{Description: r.summary}
		for _, name := range pathParams.FindAllStringSubmatch(op.Path, -1) {
			op.Parameters = append(op.Parameters, &huma.Param{Name: name[1], In: "path", Required: true, Schema: &huma.Schema{Type: "string"}})
		}
		doc.AddOperation(&op)
	}
}

var notWord = regexp.MustCompile(`\W+`)

var pathParams = regexp.MustCompile(`\{(\w+)\}`)

// config is an API that speaks JSON and writes its OpenAPI document.
func config() huma.Config {
	c := huma.DefaultConfig("Vitrine", vitrine.Version)
	c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", nil
	c.Info.Description = "Rewards for websites that language models write."
	format := huma.Format{Marshal: marshal, Unmarshal: unmarshal}
	c.Formats = map[string]huma.Format{"application/json": format, "json": format}
	c.Transformers = []huma.Transformer{ours}
	return c
}

var marshal = huma.DefaultJSONFormat.Marshal

// operation describes one route.
func (s *Server) operation(method, path, summary, description string) huma.Operation {
	return huma.Operation{
		Method: method, Path: path, Summary: summary, Description: description, OperationID: strings.Trim(notWord.ReplaceAllString(strings.ToLower(method)+path, "-"), "-"),
		MaxBodyBytes: -1, BodyReadTimeout: -1, // the body is there, and has been bounded
		Responses: map[string]*huma.Response{"default": {Description: "A problem", Content: map[string]*huma.MediaType{
			"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}}}}},
	}
}

// answer is a response with a body and a status.
type answer[T any] struct {
	Status int
	Body   T
}

// A batch is what /v1/score and /v1/jobs take.
type batch struct {
	Recipe     string `json:"recipe,omitempty" nullable:"true" doc:"name of a recipe, of GET /v1/recipes; the first of them if it is left out"`
	DeadlineMS int64  `json:"deadline_ms,omitempty" nullable:"true" minimum:"0" doc:"when nobody wants the answers any more, in milliseconds from now"`
	Findings   bool   `json:"findings,omitempty" nullable:"true" doc:"also give what each check says"`
	Client     string `json:"client,omitempty" nullable:"true" maxLength:"200" doc:"who asks: within the turns of a token, or of an address, names take turns"`
	Items      []Item `json:"items" nullable:"false"`

	_ struct{} `json:"-" additionalProperties:"true"`
}

// maxDeadlineMS is the longest time that a [time.Duration] can say.
const maxDeadlineMS = math.MaxInt64 / int64(time.Millisecond)

// request makes a request of a batch that came from an owner.
func (b *batch) request(from string) Request {
	return Request{
		Recipe: b.Recipe, Client: client(from, b.Client), Deadline: time.Duration(min(b.DeadlineMS, maxDeadlineMS)) * time.Millisecond, Findings: b.Findings, Items: b.Items,
	}
}

type scoreInput struct {
	Body batch
	from
}

// from is where a request comes from.
type from struct{ owner string }

// Resolve takes the owner of the request.
func (f *from) Resolve(ctx huma.Context) []error {
	f.owner, _ = ctx.Context().Value(ownerKey{}).(string)
	return nil
}

type scoreOutput struct {
	Results []Result `json:"results" nullable:"false"`
	Recipe  string   `json:"recipe" doc:"name@hash"`
	Server  string   `json:"server"`
}

// banner is who answers.
const banner = "vitrine " + vitrine.Version

func (s *Server) score(ctx context.Context, in *scoreInput) (*answer[scoreOutput], error) {
	results, err := s.Score(ctx, in.Body.request(in.owner))
	if err != nil {
		return nil, err
	}
	recipe, err := s.recipe(in.Body.Recipe)
	if err != nil {
		return nil, err
	}
	return &answer[scoreOutput]{http.StatusOK, scoreOutput{results, recipe.ID(), banner}}, nil
}

type recipeOutput struct {
	Name        string          `json:"name"`
	ID          string          `json:"id" doc:"name@hash"`
	Hash        string          `json:"hash"`
	Description string          `json:"description"`
	Source      string          `json:"source"`
	Parts       []string        `json:"parts" doc:"the keys of parts in every result"`
	Range       []*float64      `json:"range" doc:"lowest and highest reward; null where there is no bound"`
	Spec        json.RawMessage `json:"spec,omitempty" doc:"everything that can change a reward"`
}

func recipeOf(r *reward.Recipe) recipeOutput {
	lo, hi := r.Range()
	_, hash, _ := strings.Cut(r.ID(), "@")
	return recipeOutput{Name: r.Name, ID: r.ID(), Hash: hash, Description: r.Description, Source: r.Source, Parts: r.PartNames(), Range: []*float64{lo, hi}}
}

type recipesOutput struct {
	Recipes []recipeOutput `json:"recipes"`
}

func (s *Server) listRecipes(context.Context, *struct{}) (*answer[recipesOutput], error) {
	var out recipesOutput
	for _, r := range s.settings.Recipes {
		out.Recipes = append(out.Recipes, recipeOf(r))
	}
	return &answer[recipesOutput]{http.StatusOK, out}, nil
}

func (s *Server) showRecipe(_ context.Context, in *struct {
	Name string `path:"name" maxLength:"200"`
}) (*answer[recipeOutput], error) {
	r, err := s.recipe(in.Name)
	if err != nil {
		return nil, notFound("such recipe")
	}
	out := recipeOf(r)
	out.Spec, err = json.Marshal(r)
	return &answer[recipeOutput]{http.StatusOK, out}, err
}

type taskRow struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
	Category    string `json:"category"`
}

type tasksOutput struct {
	Tasks []taskRow `json:"tasks"`
	Total int       `json:"total" doc:"how many there are in all"`
}

func (s *Server) listTasks(_ context.Context, in *struct {
	Split  string `query:"split" doc:"only tasks of this category; train has all"`
	Limit  int    `query:"limit" default:"100" minimum:"0" maximum:"10000"`
	Offset int    `query:"offset" minimum:"0"`
}) (*answer[tasksOutput], error) {
	out := tasksOutput{Tasks: []taskRow{}}
	for _, t := range s.Listed(in.Split) {
		if out.Total++; out.Total > in.Offset && len(out.Tasks) < in.Limit {
			out.Tasks = append(out.Tasks, taskRow{t.ID, t.Instruction, t.Category})
		}
	}
	return &answer[tasksOutput]{http.StatusOK, out}, nil
}

func (s *Server) showTask(_ context.Context, in *struct {
	ID string `path:"id" maxLength:"512"`
}) (*answer[vitrine.Task], error) {
	t, ok := s.settings.Tasks[in.ID]
	if !ok {
		return nil, notFound("such task")
	}
	return &answer[vitrine.Task]{http.StatusOK, t}, nil
}
