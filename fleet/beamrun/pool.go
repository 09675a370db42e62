package beamrun

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
)

// Pool starts workers for a runner that is told of it by --environment_type
// external --environment_config host:port. Each worker is a process, so that
// one that dies takes nothing else with it.
type Pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	command []string
	server  *grpc.Server
	mu      sync.Mutex
	workers map[string]*exec.Cmd
}

// ServePool listens until the context ends. The command is this program's, and
// gets the flags of Beam's workers; ready is told the address.
func ServePool(ctx context.Context, address string, command []string, ready func(net.Addr)) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("fleet: worker pool: %w", err)
	}
	p := &Pool{command: command, server: grpc.NewServer(), workers: map[string]*exec.Cmd{}}
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	if ready != nil {
		ready(listener.Addr())
	}
	stop := context.AfterFunc(ctx, p.server.Stop)
	defer stop()
	err = p.server.Serve(listener)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.workers {
		_ = w.Process.Kill()
	}
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("fleet: worker pool: %w", err)
}

// StartWorker implements Beam's protocol.
func (p *Pool) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	id := r.GetWorkerId()
	args := append(append([]string{}, p.command[1:]...), "--worker", "--id="+id,
		"--logging_endpoint="+r.GetLoggingEndpoint().GetUrl(), "--control_endpoint="+r.GetControlEndpoint().GetUrl())
	c := exec.Command(p.command[0], args...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers[id] != nil {
		return &fnpb.StartWorkerResponse{Error: "there is a worker " + id + " already"}, nil
	}
	if err := c.Start(); err != nil {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	slog.Info("worker started", "id", id, "process", c.Process.Pid)
	p.workers[id] = c
	go func() {
		err := c.Wait()
		slog.Info("worker ended", "id", id, "process", c.Process.Pid, "state", c.ProcessState, "error", err)
		p.mu.Lock()
		delete(p.workers, id)
		p.mu.Unlock()
	}()
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker implements Beam's protocol.
func (p *Pool) StopWorker(_ context.Context, r *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.workers[r.GetWorkerId()]; w != nil {
		_ = w.Process.Kill()
	}
	return &fnpb.StopWorkerResponse{}, nil
}
