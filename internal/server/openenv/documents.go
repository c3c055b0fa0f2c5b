package openenv

import (
	"encoding/json"

	"vitrine"
)

// object is a JSON Schema of an object.
func object(required []string, properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func typed(name, description string) map[string]any {
	return map[string]any{"type": name, "description": description}
}

// documents are the addresses that always answer the same. The action has exactly one
// required field: clients put a model's plain answer there.
func documents() map[string]any {
	action := object([]string{"message"}, map[string]any{"message": typed("string", "the model's whole answer")})
	observation := object([]string{"text"}, map[string]any{
		"text":   typed("string", "the task at first, then what to mend"),
		"images": map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "addresses of screenshots"},
	})
	state := object([]string{"episode_id", "step_count"}, map[string]any{
		"episode_id": typed("string", "as the reset named it"), "step_count": typed("integer", "steps that counted"),
		"task_id": typed("string", "which task"), "done": typed("boolean", "whether it has ended"),
	})
	return map[string]any{
		"/health":       map[string]any{"status": "healthy"},
		"/metadata":     map[string]any{"name": "vitrine", "version": vitrine.Version, "description": "Write a website; it is rendered, judged and criticised, and may be improved in rounds."},
		"/schema":       map[string]any{"action": action, "observation": observation, "state": state},
		"/state":        (&episode{}).state(), // over HTTP there is no episode between requests
		"/openapi.json": openapi(action, observation, state),
	}
}

func openapi(action, observation, state map[string]any) map[string]any {
	answer := func(schema any) map[string]any {
		return map[string]any{"200": map[string]any{"description": "OK", "content": map[string]any{"application/json": map[string]any{"schema": schema}}}}
	}
	body := func(schema any) map[string]any {
		return map[string]any{"content": map[string]any{"application/json": map[string]any{"schema": schema}}}
	}
	observed := object([]string{"observation", "reward", "done"}, map[string]any{
		"observation": observation, "reward": map[string]any{"type": []string{"number", "null"}}, "done": map[string]any{"type": "boolean"},
	})
	return map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "Vitrine as an OpenEnv environment", "version": "1.0.0"},
		"paths": map[string]any{
			"/reset": map[string]any{"post": map[string]any{"requestBody": body(object([]string{}, map[string]any{})), "responses": answer(observed)}},
			"/step":  map[string]any{"post": map[string]any{"requestBody": body(object([]string{"action"}, map[string]any{"action": action})), "responses": answer(observed)}},
			"/state": map[string]any{"get": map[string]any{"responses": answer(state)}},
		},
	}
}

// mcp answers a JSON-RPC request. The environment has no tools: its one action is a
// step.
func mcp(body json.RawMessage) map[string]any {
	var in struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
	}
	out := map[string]any{"jsonrpc": "2.0", "id": nil}
	failure := func(code int, message string) { out["error"] = map[string]any{"code": code, "message": message} }
	if err := json.Unmarshal(body, &in); err != nil || in.Method == "" {
		failure(-32600, "this is no request")
		return out
	}
	out["id"] = in.ID
	switch in.Method {
	case "initialize":
		out["result"] = map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "vitrine", "version": vitrine.Version}}
	case "tools/list":
		out["result"] = map[string]any{"tools": []any{}}
	case "ping":
		out["result"] = map[string]any{}
	default:
		failure(-32601, "there is no method "+in.Method)
	}
	return out
}
