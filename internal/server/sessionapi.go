package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// sessionRoutes registers /v1/sessions.
func (s *Server) sessionRoutes(api huma.API) {
	create := s.operation(http.MethodPost, "/v1/sessions", "Open a refine session", "One prompt, answered in rounds: an answer is kept only if it scores strictly more than the best before it.")
	create.DefaultStatus = http.StatusCreated
	huma.Register(api, create, s.openSession)
	huma.Register(api, s.operation(http.MethodPost, "/v1/sessions/{id}/step", "Give the next answer", "The same step again gets the same answer; another output for a turn that was taken is a conflict."), s.stepSession)
	huma.Register(api, s.operation(http.MethodGet, "/v1/sessions/{id}", "Show a session", "With its text so far, by who wrote it."), s.showSession)
	huma.Register(api, s.operation(http.MethodPost, "/v1/sessions/{id}/finish", "End a session with its best answer", ""), s.finishSession)
	huma.Register(api, s.operation(http.MethodDelete, "/v1/sessions/{id}", "Forget a session", ""), s.deleteSession)
}

type sessionInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Server) openSession(ctx context.Context, in *struct {
	Body OpenSession
	from
}) (*answer[*Session], error) {
	in.Body.Client = client(in.owner, in.Body.Client)
	v, err := s.OpenSession(ctx, in.Body)
	return &answer[*Session]{http.StatusCreated, v}, err
}

func (s *Server) stepSession(ctx context.Context, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body Step
}) (*answer[*Turn], error) {
	t, err := s.Step(ctx, in.ID, in.Body)
	return &answer[*Turn]{http.StatusOK, t}, err
}

func (s *Server) showSession(ctx context.Context, in *sessionInput) (*answer[*Session], error) {
	v, err := s.Session(ctx, in.ID)
	return &answer[*Session]{http.StatusOK, v}, err
}

func (s *Server) finishSession(ctx context.Context, in *sessionInput) (*answer[*Session], error) {
	v, err := s.FinishSession(ctx, in.ID)
	return &answer[*Session]{http.StatusOK, v}, err
}

func (s *Server) deleteSession(ctx context.Context, in *sessionInput) (*struct{}, error) {
	return nil, s.EndSession(ctx, in.ID)
}
